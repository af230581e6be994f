// The words that a name is made of.

/** `order_items`, `OrderItems` and `order-items` → `order`, `items`, in the letters that they are written in. */
export const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
