#!/usr/bin/env bash
# Fetches MySQL's server, client and Router into MYSQL_ROOT: packages of Debian's unstable suite, which are unpacked there and
# not installed. The mirror is the one that this machine's own apt uses; half a gigabyte, and no root is needed.
set -euo pipefail
. "$(dirname "$0")/program.sh"
[ -x "$MYSQL_ROOT/usr/sbin/mysqld" ] && exit

mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -E '^URIs:|^deb ' | grep -oE 'https?://[^ ]*/debian/?( |$)' | head -1 | tr -d ' ' || true)
[ -n "$mirror" ] || { echo "No Debian mirror is in the sources of this machine's apt: MySQL cannot be fetched." >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives}/partial "$work"/etc/{apt.conf,preferences}.d "$work/root"
# As if nothing were installed: all that the programs need is fetched with them.
touch "$work/status"
echo "deb $mirror sid main" > "$work/etc/sources.list"
apt() {
  apt-get -qq -o Dir::Etc="$work/etc" -o Dir::Etc::trustedparts=/etc/apt/trusted.gpg.d/ -o Dir::State="$work" \
    -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o APT::Sandbox::User= -o APT::Install-Recommends=false -o Debug::NoLocking=true -o Acquire::Retries=3 "$@" >&2
}
apt update
apt install --yes --download-only mysql-server-core mysql-client-core mysql-router
for package in "$work"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$work/root"; done

# Whole or not at all, whoever else fetches it.
mkdir -p "$(dirname "$MYSQL_ROOT")"
rm -rf "$MYSQL_ROOT.new" && cp -a "$work/root" "$MYSQL_ROOT.new" && mv -T "$MYSQL_ROOT.new" "$MYSQL_ROOT"
