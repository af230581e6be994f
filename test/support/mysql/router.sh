#!/usr/bin/env bash
# MySQL Router before servers that are named by their addresses; it hands a connection to the first of them that answers.
#   router.sh serve FOLDER PORT HOST:PORT[,HOST:PORT…]     runs it, in this process
set -euo pipefail
. "$(dirname "$0")/program.sh"
folder=$2
mkdir -p "$folder"/{log,run,data}
cat > "$folder/router.conf" <<CONF
[DEFAULT]
logging_folder=$folder/log
runtime_folder=$folder/run
data_folder=$folder/data
plugin_folder=$MYSQL_ROOT/usr/lib/mysqlrouter/plugin
connect_timeout=2
[logger]
level=INFO
[routing:static]
bind_address=127.0.0.1
bind_port=$3
destinations=$4
routing_strategy=first-available
protocol=classic
CONF
exec "${by_loader[@]}" "$MYSQL_ROOT/usr/bin/mysqlrouter" -c "$folder/router.conf"
