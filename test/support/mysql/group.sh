#!/usr/bin/env bash
# Three servers of MySQL in a group (Group Replication), each in a folder of MYSQL_GROUP, whose path must be short.
#   group.sh make [multi]      makes their data; with `multi` all of them take writes, else the first one alone
#   group.sh up                starts them, one after the other
#   group.sh state             what each of them says of the group
#   group.sh sql N TEXT        asks one of them
#   group.sh stop N            ends one
#   group.sh crash N           kills one
#   group.sh start N           starts one that was ended or killed, and waits until it takes part again
#   group.sh down              ends all
# Servers listen at MYSQL_GROUP_PORT + 1, 2 and 3, and to each other at + 11, 12 and 13: 14300 where it is not set.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${MYSQL_GROUP:?names an empty folder of its own}
port=${MYSQL_GROUP_PORT:-14300}

options() { # of server N
  local single=ON checks=OFF
  [ -e "$folder/multi" ] && { single=OFF; checks=ON; }
  cat <<LINES
--report-host=127.0.0.1
--report-port=$((port + $1))
--server-id=$1
--gtid-mode=ON
--enforce-gtid-consistency=ON
--log-bin=binlog
--innodb-buffer-pool-size=128M
--innodb-flush-log-at-trx-commit=2
--plugin-load-add=group_replication.so
--plugin-load-add=mysql_clone.so
--loose-group_replication_group_name=aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa
--loose-group_replication_local_address=127.0.0.1:$((port + 10 + $1))
--loose-group_replication_group_seeds=127.0.0.1:$((port + 11)),127.0.0.1:$((port + 12)),127.0.0.1:$((port + 13))
--loose-group_replication_start_on_boot=OFF
--loose-group_replication_recovery_get_public_key=ON
--loose-group_replication_single_primary_mode=$single
--loose-group_replication_enforce_update_everywhere_checks=$checks
--loose-group_replication_member_expel_timeout=0
LINES
}
sql() { "$here/server.sh" sql "$folder/$1" "$2"; }
until_true() { # seconds, then what is to succeed
  for _ in $(seq $(($1 * 4))); do "${@:2}" >/dev/null 2>&1 && return; sleep 0.25; done
  echo "not within $1 seconds: ${*:2}" >&2
  return 1
}
takes_part() { [ "$(sql "$1" 'select member_state from performance_schema.replication_group_members where member_id = @@server_uuid')" = ONLINE ]; }
serve() {
  mapfile -t lines < <(options "$1")
  # Of its own, so that what ends the caller does not end it.
  setsid "$here/server.sh" serve "$folder/$1" $((port + $1)) "${lines[@]}" >/dev/null 2>&1 &
  until_true 120 sql "$1" 'select 1'
}
join() { # server N, and whether it is the first of the group
  serve "$1"
  # A user of this server alone, not in its log: a member must have no transactions of its own.
  [ -e "$folder/$1/made" ] || sql "$1" "set sql_log_bin = 0; create user repl@'%' identified by 'repl';
    grant replication slave, backup_admin, connection_admin, group_replication_stream on *.* to repl@'%'; set sql_log_bin = 1;
    change replication source to source_user = 'repl', source_password = 'repl' for channel 'group_replication_recovery'"
  touch "$folder/$1/made"
  if [ "${2:-}" = first ]; then
    sql "$1" 'set global group_replication_bootstrap_group = ON; start group_replication; set global group_replication_bootstrap_group = OFF'
  else
    sql "$1" 'start group_replication'
  fi
  until_true 120 takes_part "$1"
}
end() {
  kill "-$2" "$(cat "$folder/$1/pid")"
  until_true 60 eval "! kill -0 $(cat "$folder/$1/pid")"
}

case $1 in
  make)
    mkdir -p "$folder"
    [ "${2:-}" = multi ] && touch "$folder/multi"
    for n in 1 2 3; do "$here/server.sh" make "$folder/$n"; done
    ;;
  up) join 1 first && join 2 && join 3 ;;
  state)
    for n in 1 2 3; do
      echo "$n: $(sql $n "select concat(group_concat(member_port, ' ', member_state, ' ', member_role order by member_port separator ', '), if(@@super_read_only, ', read-only', ', writable'))
        from performance_schema.replication_group_members")"
    done
    ;;
  sql) sql "$2" "$3" ;;
  stop) end "$2" TERM ;;
  crash) end "$2" KILL ;;
  start) join "$2" ;;
  down) for n in 3 2 1; do [ -e "$folder/$n/pid" ] && end $n TERM; done ;;
esac
