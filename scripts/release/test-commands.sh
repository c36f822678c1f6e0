#!/usr/bin/env bash
# Runs tests of commands with the executable of `npm run release` in place of the checkout's program.
#
#     npm run test:executable                        a selection: what has assets, workers and servers
#     npm run test:executable -- test/commands/api.test.ts
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xJf release/docsctl-*-linux-x64.tar.xz -C "$folder" --strip-components=1
export DOCSCTL_TEST_PROGRAM=$folder/docsctl
selection=(test/commands/{api,content-check,cr-merge,openapi-check,preview,sites-export}.test.ts)
[ $# -gt 0 ] || set -- "${selection[@]}"
npx vitest run "$@"
