#!/usr/bin/env bash
# Tests the artifacts of `npm run release` in Debian 12 systems without Node.js: installs, runs and removes them. Run it as root; it
# needs mmdebstrap, lintian, rpm, systemd, strace, qemu-user-static and libstdc++6-arm64-cross.
#
#     scripts/release/test.sh [FOLDER]        tests the artifacts in FOLDER (default: release)
set -euo pipefail
cd "$(dirname "$0")/../.."
release=$(realpath "${1:-release}")

# Only this process and its children see the mounts, which are gone with them.
if [ "${2:-}" != unshared ]; then
  exec unshare --mount --mount-proc --pid --fork --kill-child "$0" "$release" unshared
fi

say() { echo "+ $*"; }
fail() { echo "failed: $*" >&2; exit 1; }
one() { [ $# -eq 1 ] && [ -f "$1" ] || fail "expected one file: $*"; echo "$1"; }
deb=$(one "$release"/docsctl_*_amd64.deb)
rpm=$(one "$release"/docsctl-*.x86_64.rpm)
archive=$(one "$release"/docsctl-*-linux-x64.tar.xz)
version=$(sed -nE 's/^  "version": "(.*)",/\1/p' package.json)

machine=/mnt
mount -t tmpfs -o mode=755 machine "$machine"
work=$machine/work

say 'a tampered file is rejected, the others are accepted'
mkdir "$work"
cp "$release"/* "$work"
(cd "$work" && sha256sum --check --quiet --strict SHA256SUMS)
printf x >> "$work/$(basename "$archive")"
if (cd "$work" && sha256sum --check --quiet --strict SHA256SUMS) 2> /dev/null; then fail 'the tampered file was accepted'; fi
rm -r "$work"

say 'the sizes'
mkdir "$work"
tar -xJf "$archive" -C "$work"
program=$(one "$work"/docsctl-*/docsctl)
[ "$(stat -c %s "$program")" -le $((108 * 1024 * 1024)) ] || fail 'the executable is larger than 108 MiB'
[ "$(stat -c %s "$archive")" -le $((32 * 1024 * 1024)) ] || fail 'the archive is larger than 32 MiB'

say 'lintian finds no errors'
lintian --fail-on error --allow-root "$deb" > "$work/lintian" 2>&1 || { cat "$work/lintian"; fail lintian; }

sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  if [ -f "$file" ] && grep -qE '^deb .* bookworm main|^Suites:.* bookworm( |$)' "$file"; then sources+=("$file"); fi
done
root=$machine/debian
mmdebstrap --quiet --variant=minbase --include=libstdc++6,curl bookworm "$root" "${sources[@]}"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DOCSCTL_KEYRING=off "$@"; }
[ ! -e "$root/usr/bin/node" ] || fail 'the root has Node.js'

say 'the package for Debian: install, demo, serve'
cp "$deb" "$root/docsctl.deb"
inside dpkg --install /docsctl.deb > /dev/null
[ "$(inside docsctl --version)" = "$version" ] || fail 'the version differs'
inside docsctl init --demo > /dev/null
inside docsctl members list --limit 5 --jq 'length' | grep -qx 5 || fail 'jq'
inside docsctl completion bash | cmp - "$root/usr/share/bash-completion/completions/docsctl"
inside sh -euc 'mkdir /docs; printf "# Pumps\n\nThe formula \$x^2\$.\n" > /docs/README.md; docsctl content check /docs; docsctl sites export /docs --out /site' > /dev/null
[ -f "$root/site/index.html" ] || fail 'no site was exported'
# As the unit starts it: as a user without an entry in the user database, who can write to one folder only.
mkdir -m 700 "$root/var/lib/docsctl"
chown 61320:61320 "$root/var/lib/docsctl"
serve() { # [PROGRAM that runs it]
  "$@" chroot --userspec=61320:61320 "$root" env -i PATH=/usr/bin DOCSCTL_SERVE_DB=/var/lib/docsctl/docs.db \
    DOCSCTL_CONFIG_DIR=/var/lib/docsctl/config DOCSCTL_CACHE_DIR=/nonexistent DOCSCTL_KEYRING=off docsctl serve --port 4321 --json --log off > "$machine/served" 2>&1 &
  server=$!
  # curl itself waits for the server.
  inside curl --silent --fail --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:4321/readyz > /dev/null || { cat "$machine/served"; fail serve; }
}
request() { inside curl --silent --fail -H "Authorization: Bearer $token" http://127.0.0.1:4321/v1/orgs; }
stop() { kill "$server"; wait "$server" || true; }
serve
token=$(sed -n 's/.*"token":"\([^"]*\)".*/\1/p' "$machine/served")
before=$(request)
stop

say 'the package for Debian: upgrade and removal keep the data and the settings'
mkdir "$work/next"
dpkg-deb --raw-extract "$deb" "$work/next"
sed -i 's/^Version: .*/Version: 999.0.0-1/' "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$work/next" "$root/next.deb" > /dev/null
rm -r "$work/next"
echo '# edited' >> "$root/etc/default/docsctl"
inside dpkg --install /next.deb > /dev/null
inside dpkg-query --show --showformat '${Version}\n' docsctl | grep -qx 999.0.0-1
grep -q edited "$root/etc/default/docsctl" || fail 'the settings are gone'
serve
[ "$(request)" = "$before" ] || fail 'the data changed'
stop
inside dpkg --purge docsctl > /dev/null
[ -f "$root/var/lib/docsctl/docs.db" ] || fail 'the data is gone'
[ ! -e "$root/usr/bin/docsctl" ] || fail 'the program is still there'

say 'the package for RPM: install, run, serve'
# With its own database in the root. Its dependencies are those of the program, which Debian has under other names.
rpm --root "$root" --install --nodeps --noscripts "$rpm" 2> "$machine/rpm"
[ "$(inside docsctl --version)" = "$version" ] || fail 'the version differs'
inside docsctl members list --limit 5 --jq 'length' | grep -qx 5 || fail 'the demo is gone'
serve
[ "$(request)" = "$before" ] || fail 'the data changed'
stop

say 'the package for RPM: upgrade and removal keep the data and the settings'
# The same files as another version.
mkdir -p "$work/rpm/content"
rpm2archive - < "$rpm" | tar -xz -C "$work/rpm/content"
{
  printf 'Name: docsctl\nVersion: 999.0.0\nRelease: 1\nSummary: The next version\nLicense: MIT\n%%description\n%%install\n'
  printf 'mkdir -p %%{buildroot}\ncp -a %s/. %%{buildroot}/\n%%files\n%%dir /usr/share/doc/docsctl\n' "$work/rpm/content"
  (cd "$work/rpm/content" && find . ! -type d) | sed -e 's|^\.||' -e 's|^/etc/|%config(noreplace) &|'
} > "$work/rpm/docsctl.spec"
rpmbuild -bb --quiet --target x86_64-linux --define "_topdir $work/rpm" --define "_rpmdir $work/rpm" --define '_build_name_fmt next.rpm' \
  --define '_binary_payload w1.zstdio' --define '__os_install_post %{nil}' --define 'debug_package %{nil}' --define '_build_id_links none' \
  "$work/rpm/docsctl.spec" 2> "$machine/rpm" || { cat "$machine/rpm"; fail 'no next version'; }
echo '# edited' >> "$root/etc/default/docsctl"
rpm --root "$root" --upgrade --nodeps --noscripts "$work/rpm/next.rpm" 2> "$machine/rpm"
rm -r "$work/rpm"
rpm --root "$root" --query --queryformat '%{VERSION}\n' docsctl 2> "$machine/rpm" | grep -qx 999.0.0 || fail 'it was not upgraded'
grep -q edited "$root/etc/default/docsctl" || fail 'the settings are gone'
serve
[ "$(request)" = "$before" ] || fail 'the data changed'
stop
rpm --root "$root" --erase --noscripts docsctl 2> "$machine/rpm"
[ ! -e "$root/usr/bin/docsctl" ] || fail 'the program is still there'
[ -f "$root/var/lib/docsctl/docs.db" ] || fail 'the data is gone'

say 'the units are valid'
mkdir "$work/unit"
for unit in scripts/release/systemd/docsctl.service examples/deployment/docsctl@.service; do
  sed 's|/usr/bin/docsctl|/bin/true|' "$unit" > "$work/unit/${unit##*/}"
done
systemd-analyze verify --man=no "$work/unit/docsctl.service" "$work/unit/docsctl@4001.service"

say 'the unit allows the system calls of the program'
# No systemd runs here, so the calls are traced and compared.
calls() { systemd-analyze syscall-filter "$1" | sed -nE 's/^ +([@a-z0-9_-]+)$/\1/p' | while read -r call; do case $call in @*) calls "$call" ;; *) echo "$call" ;; esac; done; }
comm -23 <(calls @system-service | sort -u) <({ calls @privileged; calls @resources; } | sort -u) > "$work/allowed"
cp "$program" "$root/usr/bin/docsctl"
serve strace -D --follow-forks --quiet=all --output "$machine/calls"
request > /dev/null
stop
rm "$root/usr/bin/docsctl"
sed -nE -e '1,/execve\("\/usr\/bin\/docsctl"/d' -e 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$machine/calls" | sort -u | comm -23 - "$work/allowed" > "$work/refused"
[ ! -s "$work/refused" ] || fail "the unit refuses $(tr '\n' ' ' < "$work/refused")"

say 'the archive: the executable alone, also on a read-only root without a home'
cp "$program" "$root/docsctl"
inside /docsctl members list --limit 5 --jq 'length' | grep -qx 5 || fail 'the executable alone'
mkdir "$machine/fixed"
mount --bind "$root" "$machine/fixed"
mount -o remount,bind,ro "$machine/fixed"
fixed() { chroot --userspec=65534:65534 "$machine/fixed" env -i PATH=/usr/bin:/bin DOCSCTL_KEYRING=off "$@"; }
[ "$(fixed /docsctl --version)" = "$version" ] || fail 'the version differs'
fixed /docsctl content check /docs > /dev/null || fail 'the read-only root'
umount "$machine/fixed"

say 'the npm package, with Node.js and npm only'
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/npm" "$root/usr/local/bin"
cp node_modules/node/bin/node "$root/usr/local/bin/node"
cp -rL "$npm/." "$root/npm"
cp "$(one "$release"/docsctl-*-npm.tgz)" "$root/docsctl.tgz"
inside PATH=/usr/local/bin:/usr/bin:/bin node /npm/bin/npm-cli.js install --global --offline --omit=optional --no-audit --no-fund /docsctl.tgz > /dev/null
[ "$(inside PATH=/usr/local/bin:/usr/bin:/bin docsctl --version)" = "$version" ] || fail 'the version differs'
inside PATH=/usr/local/bin:/usr/bin:/bin docsctl members list --limit 5 --jq 'length' | grep -qx 5 || fail 'the npm package'
[ "$(du -s --apparent-size --block-size=1 "$root"/usr/local/lib/node_modules/docsctl | cut -f1)" -le 8000000 ] || fail 'the npm package is larger than 8 MB'

say 'arm64, emulated'
mkdir "$work/arm64"
tar -xJf "$release"/docsctl-*-linux-arm64.tar.xz -C "$work/arm64" --strip-components=1
emulated() { env -i PATH=/usr/bin:/bin HOME="$work/arm64" DOCSCTL_KEYRING=off qemu-aarch64-static -L /usr/aarch64-linux-gnu "$work/arm64/docsctl" "$@"; }
[ "$(emulated --version)" = "$version" ] || fail 'the version differs'
emulated init --demo > /dev/null
emulated members list --limit 5 --jq 'length' | grep -qx 5 || fail 'arm64'

echo 'All artifacts work.'
