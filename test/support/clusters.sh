#!/usr/bin/env bash
# What the log of changes promises of order and loss, on clusters that are made for it: three nodes of Galera, and a group of three
# servers of MySQL, of which all take writes or one alone. `npm run clusters`, or with the names of some: galera, multi, single.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
work=$(mktemp -d /tmp/pc-XXXX)
chmod 755 "$work"
skipped=() failed=()

check() { # name, cluster script, ports, and what it is made with
  local name=$1 cluster=$2
  mkdir -p "$work/$name"
  export GALERA_CLUSTER=$work/$name MYSQL_GROUP=$work/$name
  if "$cluster" make ${4:-} && "$cluster" up; then
    "$cluster" state
    local urls=()
    for port in $3; do urls+=("mysql://root@127.0.0.1:$port"); done
    TEST_CLUSTER=$(IFS=,; echo "${urls[*]}") npx vitest run --config test/vitest.config.ts test/changes/kills/clusters.test.ts || failed+=("$name")
  else
    failed+=("$name (it does not come up)")
  fi
  "$cluster" down
  rm -rf "${work:?}/$name"
}
skip() { # name, and why
  echo "NO CLUSTER '$1': $2" >&2
  skipped+=("$1")
}
galera() {
  [ -e "${GALERA_PROVIDER:-/usr/lib/galera/libgalera_smm.so}" ] || { skip galera 'install mariadb-server and galera-4.'; return; }
  check galera "$here/galera/cluster.sh" '14401 14402 14403'
}
has_mysql() { "$here/mysql/get.sh" || { skip "$1" 'MySQL cannot be fetched.'; return 1; }; }
multi() { has_mysql multi && check multi "$here/mysql/group.sh" '14301 14302 14303' multi; }
# The first one takes all writes: services of any other could not write.
single() { has_mysql single && check single "$here/mysql/group.sh" '14301 14301 14301'; }

[ $# -gt 0 ] || set -- galera multi single
for each in "$@"; do
  case $each in galera | multi | single) "$each" ;; *) echo "Known are galera, multi and single." >&2; exit 2 ;; esac
done
rm -rf "$work"
[ ${#skipped[@]} -eq 0 ] || echo "SKIPPED: ${skipped[*]}" >&2
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
# What could not be tried is no success where it was to be.
[ ${#skipped[@]} -eq 0 ] || [ "${CI:-}" != true ]
