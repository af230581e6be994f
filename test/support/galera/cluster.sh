#!/usr/bin/env bash
# Three nodes of MariaDB in a cluster (Galera), each in a folder of GALERA_CLUSTER, whose path must be short. Debian has them in
# mariadb-server and galera-4.
#   cluster.sh make            makes their data; the user root needs no password
#   cluster.sh up              starts them, one after the other
#   cluster.sh state           what each of them says of the cluster
#   cluster.sh sql N TEXT      asks one of them
#   cluster.sh stop N          ends one
#   cluster.sh crash N         kills one
#   cluster.sh start N         starts one that was ended or killed, and waits until it takes part again
#   cluster.sh down            ends all
# Nodes listen at GALERA_PORT + 1, 2 and 3, to each other at + 11, 12 and 13, and hand over data at + 21 to 23 and + 31 to 33: 14400
# where it is not set.
set -euo pipefail
folder=${GALERA_CLUSTER:?names an empty folder of its own}
port=${GALERA_PORT:-14400}
provider=${GALERA_PROVIDER:-/usr/lib/galera/libgalera_smm.so}
user=()
# As root, rsync hands over nothing to folders of root.
[ "$(id -u)" = 0 ] && user=(--user=mysql)
export PATH="$PATH:/usr/sbin"

sql() { mariadb --no-defaults -uroot -S "$folder/$1/s" -Nse "$2"; }
is_synced() { [ "$(sql "$1" "show status like 'wsrep_local_state_comment'" | cut -f2)" = Synced ]; }
until_true() { # seconds, then what is to succeed
  for _ in $(seq $(($1 * 4))); do "${@:2}" >/dev/null 2>&1 && return; sleep 0.25; done
  echo "not within $1 seconds: ${*:2}" >&2
  return 1
}
start() { # node N, and what else it is told
  local own=$((port + 10 + $1))
  # Of its own, so that what ends the caller does not end it.
  setsid mariadbd --no-defaults "${user[@]}" --datadir="$folder/$1/data" --socket="$folder/$1/s" --pid-file="$folder/$1/pid" \
    --log-error="$folder/$1/log.err" --port=$((port + $1)) --bind-address=127.0.0.1 --skip-log-bin --binlog-format=ROW \
    --innodb-autoinc-lock-mode=2 --innodb-flush-log-at-trx-commit=2 --innodb-buffer-pool-size=128M --max-connections=300 \
    --wsrep-on=ON --wsrep-provider="$provider" --wsrep-cluster-name=praxis --wsrep-node-name="$1" \
    --wsrep-cluster-address="gcomm://127.0.0.1:$((port + 11)),127.0.0.1:$((port + 12)),127.0.0.1:$((port + 13))" \
    --wsrep-node-address=127.0.0.1:$own --wsrep-sst-method=rsync --wsrep-sst-receive-address=127.0.0.1:$((port + 30 + $1)) \
    --wsrep-provider-options="base_port=$own;gmcast.listen_addr=tcp://127.0.0.1:$own;ist.recv_addr=127.0.0.1:$((port + 20 + $1));gcache.size=64M;evs.keepalive_period=PT0.5S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S" \
    "${@:2}" >/dev/null 2>&1 &
  until_true 120 is_synced "$1"
}
end() {
  kill "-$2" "$(cat "$folder/$1/pid")"
  until_true 60 eval "! kill -0 $(cat "$folder/$1/pid")"
}

case $1 in
  make)
    [ -e "$provider" ] || { echo "There is no $provider: install galera-4." >&2; exit 1; }
    for n in 1 2 3; do mkdir -p "$folder/$n/data"; done
    [ "$(id -u)" = 0 ] && chown -R mysql "$folder"
    # The others take theirs from it.
    mariadb-install-db --no-defaults "${user[@]}" --datadir="$folder/1/data" --auth-root-authentication-method=normal --skip-test-db >/dev/null
    ;;
  up) start 1 --wsrep-new-cluster && start 2 && start 3 ;;
  state)
    for n in 1 2 3; do
      echo "$n: $(sql $n "select group_concat(variable_value order by variable_name separator ', ') from information_schema.global_status
        where variable_name in ('wsrep_cluster_size', 'wsrep_cluster_status', 'wsrep_local_state_comment', 'wsrep_ready')")"
    done
    ;;
  sql) sql "$2" "$3" ;;
  stop) end "$2" TERM ;;
  crash) end "$2" KILL ;;
  start) start "$2" ;;
  down) for n in 3 2 1; do [ -e "$folder/$n/pid" ] && end $n TERM; done ;;
esac
