import { createConfig, lint } from '@redocly/openapi-core';

// What Redocly's command line does for "lint", without its start-up.
const config = await createConfig({ extends: ['recommended'] });
const problems = await lint({ ref: process.argv[2], config });
process.stdout.write(`${problems.length}\n`);
