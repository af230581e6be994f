// The words that a name is made of.

/** Letters of other alphabets than ASCII's that no decomposition takes apart. */
const spellings: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ł: 'l', Ł: 'L', ı: 'i' },
};

/** `Größe` → `Grosse`: a text in letters of ASCII, as far as its own lead to them. */
export const inAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]/gu, (letter) => spellings[letter] ?? letter);

/** `order_items`, `OrderItems` and `order-items` → `order`, `items`, in the letters that they are written in. */
export const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
