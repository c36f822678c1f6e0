#!/usr/bin/env bash
# Runs README's two commands on a machine that has what README asks for and nothing else: Debian 12 with git, nodejs and
# npm, in memory, where a user without privileges clones the current commit. Run it as root; it needs mmdebstrap.
#
# The machine finds the registries as this one does: with its sources of apt, its settings of npm, its certificates.
set -euo pipefail
cd "$(dirname "$0")/.."

# Only this process and its children see the mounts, which are gone with them.
if [ "${1:-}" != unshared ]; then
  exec unshare --mount --mount-proc --pid --fork --kill-child "$0" unshared
fi

suite=bookworm
home=/home/someone
machine=/mnt
mount -t tmpfs -o mode=755 machine "$machine"

sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  if [ -f "$file" ] && grep -qE "^deb .* $suite main|^Suites:.* $suite( |$)" "$file"; then sources+=("$file"); fi
done
mmdebstrap --quiet --variant=minbase --include=git,nodejs,npm,ca-certificates "$suite" "$machine" "${sources[@]}"

chroot "$machine" useradd --create-home --home-dir "$home" someone
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$machine/etc/ssl/certs/"
for file in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
  if [ -f "$file" ]; then cat "$file"; echo; fi
done > "$machine$home/.npmrc"
git clone --quiet --bare . "$machine$home/docsctl.git"
chroot "$machine" chown --recursive someone: "$home"

mount --rbind /dev "$machine/dev"
mount -t proc proc "$machine/proc"
mount -t sysfs sysfs "$machine/sys"

# Of the environment, only what says how to reach the network, and where CI is asked for.
mapfile -t environment < <(env | grep -iE '^((https?|no)_proxy|NODE_EXTRA_CA_CERTS|CI)=' || true)
run() {
  chroot "$machine" runuser -u someone -- env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 "${environment[@]}" bash -euc "cd; $1"
}
run 'git clone --quiet docsctl.git docsctl; echo "Node.js $(node --version), npm $(npm --version)"'
mapfile -t commands < <(grep -oE '^    npm install && [^#]*[^# ]' README.md)
[ ${#commands[@]} -eq 2 ]
for command in "${commands[@]}"; do
  echo "+ $command"
  run "cd docsctl; $command"
done
# PostgreSQL comes from npm there.
run 'cd docsctl; npm run test:postgres -- test/postgres/cluster.test.ts'
