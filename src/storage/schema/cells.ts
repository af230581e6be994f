// Types of parameters and of result cells. Rows are arrays, in the order of the selected columns.

/** What may be bound to a statement. Nothing else reaches a driver, so that no object can turn into SQL or into NULL. */
export type Bound = string | number | bigint | null | Uint8Array;
/** A cell as the driver gives it: text, number, null or bytes. */
export type Cell = string | number | null | Uint8Array;
export type Row = readonly Cell[];
