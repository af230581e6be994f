// The editor of each engine.
import type { Dialect, DialectName } from '../../storage/schema/dialect.ts';
import { mysqlEditor } from './mysql-editor.ts';
import type { SchemaEditor } from './schema-editor.ts';
import { sqliteEditor } from './sqlite-editor.ts';

const editors: Readonly<Record<DialectName, SchemaEditor>> = { sqlite: sqliteEditor, mysql: mysqlEditor };

/** How the tables of a database are changed. */
export const editorOf = ({ name }: Dialect): SchemaEditor => editors[name];
