create table if not exists `praxis_state` (
  `name` varchar(40) character set ascii collate ascii_bin not null,
  `revision` bigint not null,
  primary key (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_token` (
  `id` char(36) character set ascii collate ascii_bin not null,
  `name` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin not null,
  `hash` binary(32) not null,
  `last4` varchar(4) character set ascii collate ascii_bin not null,
  `member_id` char(36) character set ascii collate ascii_bin,
  `created_at` datetime(3) not null,
  `expires_at` datetime(3),
  `revoked_at` datetime(3),
  `roles` mediumtext character set utf8mb4 collate utf8mb4_0900_bin,
  `limits` mediumtext character set utf8mb4 collate utf8mb4_0900_bin,
  primary key (`id`),
  unique key `praxis_token__hash_unique` (`hash`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_answer` (
  `token_id` varchar(40) character set ascii collate ascii_bin not null,
  `request_key` varchar(255) character set ascii collate ascii_bin not null,
  `fingerprint` binary(32) not null,
  `status` bigint not null,
  `etag` varchar(64) character set ascii collate ascii_bin,
  `body` mediumtext character set utf8mb4 collate utf8mb4_0900_bin,
  `created_at` datetime(3) not null,
  primary key (`token_id`, `request_key`),
  key `praxis_answer_created` (`created_at`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_change` (
  `id` bigint unsigned not null auto_increment primary key,
  `position` bigint,
  `write_id` char(36) character set ascii collate ascii_bin not null,
  `part` bigint not null,
  `step` bigint,
  `group_name` varchar(64) character set ascii collate ascii_bin not null,
  `record_id` varchar(36) character set ascii collate ascii_bin not null,
  `version` bigint,
  `operation` varchar(10) character set ascii collate ascii_bin not null,
  `cause` varchar(10) character set ascii collate ascii_bin not null,
  `at` datetime(3) not null,
  `undoes` char(36) character set ascii collate ascii_bin,
  `data` mediumtext character set utf8mb4 collate utf8mb4_0900_bin not null,
  key `praxis_change__record` (`group_name`, `record_id`, `id`),
  key `praxis_change__write` (`write_id`, `part`),
  key `praxis_change__at` (`at`),
  unique key `praxis_change__undoes` (`undoes`),
  unique key `praxis_change__position` (`position`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_log` (
  `id` bigint not null,
  `name` varchar(40) character set ascii collate ascii_bin not null,
  `first_position` bigint not null,
  `head` bigint not null,
  `is_on` tinyint(1) not null,
  `began_at` datetime(3) not null,
  primary key (`id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_webhook` (
  `id` char(36) character set ascii collate ascii_bin not null,
  `wish` mediumtext character set utf8mb4 collate utf8mb4_0900_bin not null,
  `token_id` varchar(36) character set ascii collate ascii_bin,
  `member_id` char(36) character set ascii collate ascii_bin,
  `created_at` datetime(3) not null,
  `log_name` varchar(40) character set ascii collate ascii_bin not null,
  `secrets` mediumtext character set utf8mb4 collate utf8mb4_0900_bin not null,
  `state` varchar(10) character set ascii collate ascii_bin not null,
  `position` bigint not null,
  `stands_at` bigint,
  `attempts` bigint not null,
  `failing_since` bigint not null,
  `due_at` bigint not null,
  `try_count` bigint not null,
  `revision` bigint not null,
  `holder` varchar(40) character set ascii collate ascii_bin not null,
  `beat` bigint not null,
  primary key (`id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_webhook_try` (
  `webhook_id` char(36) character set ascii collate ascii_bin not null,
  `place` bigint not null,
  `nth` bigint not null,
  `data` mediumtext character set utf8mb4 collate utf8mb4_0900_bin not null,
  primary key (`webhook_id`, `place`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_webhook_parked` (
  `webhook_id` char(36) character set ascii collate ascii_bin not null,
  `position` bigint not null,
  `parked_at` datetime(3) not null,
  `message` mediumtext character set utf8mb4 collate utf8mb4_0900_bin not null,
  primary key (`webhook_id`, `position`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_file` (
  `sha256` varchar(64) character set ascii collate ascii_bin not null,
  `part` bigint not null,
  `kept_at` datetime(3) not null,
  `bytes` mediumblob not null,
  primary key (`sha256`, `part`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_file_idle` (
  `file_id` char(36) character set ascii collate ascii_bin not null,
  `since` datetime(3) not null,
  primary key (`file_id`),
  key `praxis_file_idle_since` (`since`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_sequence` (
  `name` varchar(191) character set ascii collate ascii_bin not null,
  `value` bigint not null,
  primary key (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_setup` (
  `name` varchar(191) character set ascii collate ascii_bin not null,
  `done_at` datetime(3) not null,
  primary key (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_migration` (
  `name` varchar(191) character set ascii collate ascii_bin not null,
  `step` bigint not null,
  `checksum` varchar(64) character set ascii collate ascii_bin not null,
  `done_at` datetime(3) not null,
  primary key (`name`, `step`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_schema` (
  `part` bigint not null,
  `hash` varchar(64) character set ascii collate ascii_bin not null,
  `fingerprint` varchar(64) character set ascii collate ascii_bin not null,
  `body` mediumtext character set utf8mb4 collate utf8mb4_0900_bin not null,
  primary key (`part`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_lock` (
  `name` varchar(64) character set ascii collate ascii_bin not null,
  `holder` varchar(191) character set ascii collate ascii_bin not null,
  `ends_at` bigint not null,
  primary key (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_session` (
  `hash` binary(32) not null,
  `id` char(36) character set ascii collate ascii_bin not null,
  `last4` varchar(4) character set ascii collate ascii_bin not null,
  `member_id` char(36) character set ascii collate ascii_bin not null,
  `created_at` datetime(3) not null,
  `expires_at` datetime(3) not null,
  primary key (`hash`),
  unique key `praxis_session_id` (`id`),
  key `praxis_session_member` (`member_id`),
  key `praxis_session_expires` (`expires_at`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_credential` (
  `kind` varchar(10) character set ascii collate ascii_bin not null,
  `name` binary(32) not null,
  `member_id` char(36) character set ascii collate ascii_bin not null,
  `secret` varchar(255) character set utf8mb4 collate utf8mb4_0900_bin,
  `created_at` datetime(3) not null,
  `expires_at` datetime(3),
  primary key (`kind`, `name`),
  key `praxis_credential_member` (`member_id`),
  key `praxis_credential_expires` (`expires_at`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_day` (
  `name` varchar(40) character set ascii collate ascii_bin not null,
  `value` varchar(64) character set ascii collate ascii_bin not null,
  `revision` bigint not null,
  primary key (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
create table if not exists `praxis_day_left` (
  `group_name` varchar(100) character set ascii collate ascii_bin not null,
  `record_id` char(36) character set ascii collate ascii_bin not null,
  `day` varchar(10) character set ascii collate ascii_bin not null,
  primary key (`group_name`, `record_id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_0900_bin;
