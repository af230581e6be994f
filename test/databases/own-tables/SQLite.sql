create table if not exists "praxis_state" (
  "name" text not null,
  "revision" integer not null,
  primary key ("name")
) strict;
create table if not exists "praxis_token" (
  "id" text not null,
  "name" text not null,
  "hash" blob not null,
  "last4" text not null,
  "member_id" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "roles" text,
  "limits" text,
  primary key ("id")
) strict;
create unique index if not exists "praxis_token__hash_unique" on "praxis_token" ("hash");
create table if not exists "praxis_answer" (
  "token_id" text not null,
  "request_key" text not null,
  "fingerprint" blob not null,
  "status" integer not null,
  "etag" text,
  "body" text,
  "created_at" text not null,
  primary key ("token_id", "request_key")
) strict;
create index if not exists "praxis_answer_created" on "praxis_answer" ("created_at");
create table if not exists "praxis_change" (
  "id" integer primary key autoincrement,
  "write_id" text not null,
  "part" integer not null,
  "step" integer,
  "group_name" text not null,
  "record_id" text not null,
  "version" integer,
  "operation" text not null,
  "cause" text not null,
  "at" text not null,
  "undoes" text,
  "data" text not null
) strict;
create index if not exists "praxis_change__record" on "praxis_change" ("group_name", "record_id", "id");
create index if not exists "praxis_change__write" on "praxis_change" ("write_id", "part");
create index if not exists "praxis_change__at" on "praxis_change" ("at");
create unique index if not exists "praxis_change__undoes" on "praxis_change" ("undoes");
create table if not exists "praxis_log" (
  "id" integer not null,
  "name" text not null,
  "first_position" integer not null,
  "head" integer not null,
  "is_on" integer not null,
  "began_at" text not null,
  primary key ("id")
) strict;
create table if not exists "praxis_webhook" (
  "id" text not null,
  "wish" text not null,
  "token_id" text,
  "member_id" text,
  "created_at" text not null,
  "log_name" text not null,
  "secrets" text not null,
  "state" text not null,
  "position" integer not null,
  "stands_at" integer,
  "attempts" integer not null,
  "failing_since" integer not null,
  "due_at" integer not null,
  "try_count" integer not null,
  "revision" integer not null,
  "holder" text not null,
  "beat" integer not null,
  primary key ("id")
) strict;
create table if not exists "praxis_webhook_try" (
  "webhook_id" text not null,
  "place" integer not null,
  "nth" integer not null,
  "data" text not null,
  primary key ("webhook_id", "place")
) strict;
create table if not exists "praxis_webhook_parked" (
  "webhook_id" text not null,
  "position" integer not null,
  "parked_at" text not null,
  "message" text not null,
  primary key ("webhook_id", "position")
) strict;
create table if not exists "praxis_file" (
  "sha256" text not null,
  "part" integer not null,
  "kept_at" text not null,
  "bytes" blob not null,
  primary key ("sha256", "part")
) strict;
create table if not exists "praxis_file_idle" (
  "file_id" text not null,
  "since" text not null,
  primary key ("file_id")
) strict;
create index if not exists "praxis_file_idle_since" on "praxis_file_idle" ("since");
create table if not exists "praxis_sequence" (
  "name" text not null,
  "value" integer not null,
  primary key ("name")
) strict;
create table if not exists "praxis_setup" (
  "name" text not null,
  "done_at" text not null,
  primary key ("name")
) strict;
create table if not exists "praxis_migration" (
  "name" text not null,
  "step" integer not null,
  "checksum" text not null,
  "done_at" text not null,
  primary key ("name", "step")
) strict;
create table if not exists "praxis_schema" (
  "part" integer not null,
  "hash" text not null,
  "fingerprint" text not null,
  "body" text not null,
  primary key ("part")
) strict;
create table if not exists "praxis_lock" (
  "name" text not null,
  "holder" text not null,
  "ends_at" integer not null,
  primary key ("name")
) strict;
create table if not exists "praxis_session" (
  "hash" blob not null,
  "id" text not null,
  "last4" text not null,
  "member_id" text not null,
  "created_at" text not null,
  "expires_at" text not null,
  primary key ("hash")
) strict;
create unique index if not exists "praxis_session_id" on "praxis_session" ("id");
create index if not exists "praxis_session_member" on "praxis_session" ("member_id");
create index if not exists "praxis_session_expires" on "praxis_session" ("expires_at");
create table if not exists "praxis_credential" (
  "kind" text not null,
  "name" blob not null,
  "member_id" text not null,
  "secret" text,
  "created_at" text not null,
  "expires_at" text,
  primary key ("kind", "name")
) strict;
create index if not exists "praxis_credential_member" on "praxis_credential" ("member_id");
create index if not exists "praxis_credential_expires" on "praxis_credential" ("expires_at");
create table if not exists "praxis_day" (
  "name" text not null,
  "value" text not null,
  "revision" integer not null,
  primary key ("name")
) strict;
create table if not exists "praxis_day_left" (
  "group_name" text not null,
  "record_id" text not null,
  "day" text not null,
  primary key ("group_name", "record_id")
) strict;
