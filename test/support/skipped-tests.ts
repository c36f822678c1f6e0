import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { requirements } from './requirements.ts';

const missing = requirements.filter(({ isMet }) => !isMet);

/**
 * Ends a run with one line that counts the skipped tests and names what they need. With
 * `DOCSCTL_TESTS_REQUIRE_ALL=1` a skipped test fails the run.
 */
export class SkippedTests implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]).filter(this.#isSelected);
    if (skipped.length === 0) return;
    const log = (text: string) => this.#vitest?.logger.log(text);
    log(describe(skipped));
    if (process.env.DOCSCTL_TESTS_REQUIRE_ALL !== '1') return;
    log('DOCSCTL_TESTS_REQUIRE_ALL=1 allows no skipped tests:');
    for (const { module, fullName } of skipped) log(`  ${module.relativeModuleId} > ${fullName}`);
    process.exitCode = 1;
  }

  /** Tests that `-t` leaves out are skipped as well, but nobody misses them. */
  readonly #isSelected = ({ fullName }: TestCase): boolean =>
    this.#vitest?.config.testNamePattern?.test(fullName.replaceAll(' > ', ' ')) ?? true;
}

/** Such as `Skipped 14 tests: 12 need a browser, 2 need zsh. On Debian: apt-get install chromium zsh`. */
function describe(skipped: TestCase[]): string {
  const counts = missing
    .map((requirement) => ({
      ...requirement,
      count: skipped.filter(({ tags }) => tags.includes(requirement.tag)).length,
    }))
    .filter(({ count }) => count > 0);
  const parts = counts.map(({ name, count }) => `${count} ${count === 1 ? 'needs' : 'need'} ${name}`);
  const others = skipped.filter(({ tags }) => !missing.some(({ tag }) => tags.includes(tag))).length;
  if (others > 0) parts.push(`${others} without a reason`);
  const packages = counts.flatMap((requirement) => requirement.packages);
  const hint = packages.length === 0 ? '' : ` On Debian: apt-get install ${packages.join(' ')}`;
  const number = skipped.length === 1 ? '1 test' : `${skipped.length} tests`;
  return `Skipped ${number}: ${parts.join(', ')}.${hint}`;
}
