// What is refused, what formulas look at, and how they are said to people.

/** A formula over a line of a rental and over the one source in it, and what it gives there. */
export const itemCases: readonly (readonly [
  formula: string,
  gives: { readonly line: unknown; readonly source: unknown },
])[] = [
  ['index', { line: '1', source: '0' }],
  ['amount', { line: '100', source: '100' }],
  ['price * quantity', { line: '10', source: '10' }],
  ['label', { line: 'b', source: 'b' }],
  ['coalesce(count, 1) + amount', { line: '101', source: '101' }],
  ['customer.name', { line: 'Ada', source: 'Ada' }],
  ['lines.size()', { line: '2', source: '2' }],
  ['lines.map(l, l.index == index)', { line: [false, true], source: [true, false] }],
  ['sources.sum(s, s.minutes) - 1', { line: '2', source: '2' }],
];

/** Formulas over one kind of item alone. */
export const lineCases: readonly (readonly [formula: string, gives: unknown])[] = [
  ['record.amount', '100'],
  ['record.id', 'r1'],
  ['record.lines.filter(l, l.index != index).map(l, l.label)', ['a']],
  ['record.lines.first() == record.lines[0]', true],
  ['sources.map(s, s.record.label)', ['b']],
];
export const sourceCases: readonly (readonly [formula: string, gives: unknown])[] = [
  ['record.label', 'b'],
  ['record.index', '1'],
  ['record.record.amount', '100'],
  ['record.record.lines.size()', '2'],
  ['article.name', 'tent'],
  ['visit.minutes', null],
  ['visit == null', true],
  ['article.minutes - minutes', '4'],
  ['sourceId == article.id', true],
  ['sourceId == visit.id', false],
  ['sourceId != visit.id', true],
  ["kind == 'article' ? article.minutes : visit.minutes", '7'],
];

/** A fault as people see it. */
const marked = (text: string, line: string, column: number): string =>
  `${text}\n    ${line}\n${' '.repeat(column + 4)}^`;

/** Formulas that mean nothing, and what is told: the text, the line of the formula, and a mark below the place. */
export const faultCases: readonly (readonly [formula: string, fault: string])[] = [
  ['', 'is not a CEL expression: it ends where a value should follow'],
  ['amount +', marked('is not a CEL expression: it ends where a value should follow', 'amount +', 8)],
  ['amount = 1', marked('is not a CEL expression: "=" is not an operator; did you mean "=="?', 'amount = 1', 7)],
  [
    'amount and isOpen',
    marked('is not a CEL expression: "and" is not an operator; did you mean "&&"?', 'amount and isOpen', 7),
  ],
  ['(amount', marked('is not a CEL expression: ")" is missing before its end', '(amount', 7)],
  ['amount)', marked('is not a CEL expression: ")" closes nothing', 'amount)', 6)],
  [
    "amount == 'x",
    marked('is not a CEL expression: the text that starts here has no closing quotation mark', "amount == 'x", 10),
  ],
  ['1e400', marked('is not a CEL expression: it cannot be read from here on', '1e400', 0)],
  ['name % 2', marked('"%" takes a number here, and this is a text', 'name % 2', 0)],
  ['pow(amount, 10)', marked('pow() takes a whole exponent from 0 to 9', 'pow(amount, 10)', 12)],
  [
    'matches(name, title)',
    marked(
      "matches() takes a pattern that is written in the formula, such as '^[A-Z]{2}[0-9]+$'",
      'matches(name, title)',
      14,
    ),
  ],
  [
    "matches(name, 'a')",
    marked(
      'matches() takes a pattern, and this one must start with "^" and end with "$", because it matches the whole text',
      "matches(name, 'a')",
      14,
    ),
  ],
  [
    'doneAt + start',
    marked(
      '"+" adds numbers, texts, days to a date, or minutes to a moment, but this is an instant with a date',
      'doneAt + start',
      0,
    ),
  ],
  ['words.take()', marked('take() takes 2 values: list.take(n): the first n items', 'words.take()', 0)],
  ['words.upper()', marked('calls "upper" on a list, which does not have it', 'words.upper()', 6)],
  [
    '[1, 2].flatten()',
    marked('flatten() puts the lists of a list together, and this is a list', '[1, 2].flatten()', 0),
  ],
  ['[1, 2].join(name)', marked('join() puts the texts of a list together, and this is a list', '[1, 2].join(name)', 0)],
  [
    'with(1, 2)',
    marked(
      'with() takes a value, a name for it and a formula: with(a, x, …): the formula, in which x is the value of a',
      'with(1, 2)',
      0,
    ),
  ],
  [
    'lines.avg(l)',
    marked(
      '"avg" has another form: .avg(), .avg(x, …): the average of the values that are not null; null for an empty list',
      'lines.avg(l)',
      5,
    ),
  ],
  ['1u', marked('1u is neither a text nor a number; did you mean "1"?', '1u', 0)],
  ...(
    [
      ['has(amount)', 'x != null'],
      ['int(amount)', 'floor(x), or number(t) for a text'],
      ['double(note)', 'number(t)'],
      ['string(amount)', 'text(n)'],
      ['bool(note)', "t == 'true'"],
      ["timestamp('2026-01-01T00:00Z')", "at < '2026-03-02T10:00Z'"],
      ["duration('90m')", 'at + 90, in minutes'],
    ] as const
  ).map(([formula, right]): readonly [string, string] => [
    formula,
    marked(`calls "${formula.split('(')[0]}", which is not a function; written here: ${right}`, formula, 0),
  ]),
  [
    'lines.exists_one(l, l.price > 1)',
    marked(
      'calls "exists_one" on a list, which does not have it; written here: .count(x, …) == 1',
      'lines.exists_one(l, l.price > 1)',
      6,
    ),
  ],
  [
    'note.lowerAscii()',
    marked('calls "lowerAscii" on a text, which does not have it; written here: lower(t)', 'note.lowerAscii()', 5),
  ],
  [
    'amount + .5 + amont',
    marked('names "amont", which the record does not have; did you mean "amount"?', 'amount + .5 + amont', 14),
  ],
  [
    'customer?.name',
    marked('is not a CEL expression: a path that leads through null is null without "?": a.b', 'customer?.name', 8),
  ],
  ['amont', marked('names "amont", which the record does not have; did you mean "amount"?', 'amont', 0)],
  ['amount.x', marked('goes through "amount", which is not a reference', 'amount.x', 0)],
  ['customer.nam', marked('names "nam", which "customer" does not have; did you mean "name"?', 'customer.nam', 9)],
  ['customer.temporary', marked('"temporary" is not stored, so a path cannot use it', 'customer.temporary', 9)],
  ['customers.x', marked('names "x", which is not an owned list of "customer"', 'customers.x', 10)],
  [
    'all.rental.filter(r, r.id == id)',
    marked(
      'names the records "rental", which no group has; did you mean "rentals"?',
      'all.rental.filter(r, r.id == id)',
      4,
    ),
  ],
  [
    'rentals',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals',
      0,
    ),
  ],
  [
    'rentals.size()',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.size()',
      0,
    ),
  ],
  [
    'rentals.filter(r, r.isOpen)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.filter(r, r.isOpen)',
      0,
    ),
  ],
  [
    'rentals.map(r, r.amount)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.map(r, r.amount)',
      0,
    ),
  ],
  [
    'rentals.filter(r, r.customerId != customerId)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.filter(r, r.customerId != customerId)',
      0,
    ),
  ],
  [
    'rentals.filter(r, r.customerId == r.agentId)',
    marked(
      'compares "r.customerId", an id of "customer", with "r.agentId", an id of "member"',
      'rentals.filter(r, r.customerId == r.agentId)',
      34,
    ),
  ],
  [
    'rentals.filter(r, r.customerId == customerId || r.isOpen)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.filter(r, r.customerId == customerId || r.isOpen)',
      0,
    ),
  ],
  [
    'rentals.exists(r, r.isOpen)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.exists(r, r.isOpen)',
      0,
    ),
  ],
  [
    'rentals.all(r, true)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.all(r, true)',
      0,
    ),
  ],
  [
    'rentals.count()',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.count()',
      0,
    ),
  ],
  ['rentals.customer', marked('names "customer", which is not an owned list of "rental"', 'rentals.customer', 8)],
  [
    'rentals.line',
    marked('names "line", which is not an owned list of "rental"; did you mean "lines"?', 'rentals.line', 8),
  ],
  [
    'amount + name',
    marked(
      '"+" adds numbers, texts, days to a date, or minutes to a moment, but this is a text with a number',
      'amount + name',
      9,
    ),
  ],
  [
    'name + 1',
    marked(
      '"+" adds numbers, texts, days to a date, or minutes to a moment, but this is a text with a number',
      'name + 1',
      0,
    ),
  ],
  [
    'name + amount',
    marked(
      '"+" adds numbers, texts, days to a date, or minutes to a moment, but this is a text with a number',
      'name + amount',
      0,
    ),
  ],
  [
    'name - title',
    marked(
      '"-" takes away numbers, or days, dates, times and moments from each other, but this is a text with a text',
      'name - title',
      0,
    ),
  ],
  [
    'start + end',
    marked(
      '"+" adds numbers, texts, days to a date, or minutes to a moment, but this is a date with a date',
      'start + end',
      0,
    ),
  ],
  ['start * 2', marked('"*" multiplies numbers, but this is a date with a number', 'start * 2', 0)],
  [
    '2 + start',
    marked(
      '"+" adds numbers, texts, days to a date, or minutes to a moment, but this is a date with a number',
      '2 + start',
      4,
    ),
  ],
  [
    'null - start',
    marked(
      '"-" takes away numbers, or days, dates, times and moments from each other, but this is a date with null',
      'null - start',
      7,
    ),
  ],
  ['amount < name', marked('compares "amount", a number, with "name", a text', 'amount < name', 9)],
  ['amount < null', marked('"<" cannot compare with null; only "==" and "!=" do', 'amount < null', 9)],
  ['isOpen < isLate', marked('"<" compares numbers, texts and dates, but this is true or false', 'isOpen < isLate', 0)],
  [
    'customer < customer',
    marked('"<" compares numbers, texts and dates, but this is a record of "customer"', 'customer < customer', 0),
  ],
  ['amount == name', marked('compares "amount", a number, with "name", a text', 'amount == name', 10)],
  ['name == 1', marked('compares "name", a text, with 1, a number', 'name == 1', 8)],
  [
    "status == 'snt'",
    marked(`compares "status" with 'snt', which is not one of its values; did you mean "sent"?`, "status == 'snt'", 10),
  ],
  [
    "status == 'gone'",
    marked(
      `compares "status" with 'gone', which is not one of its values; allowed: 'draft', 'sent', 'paid'`,
      "status == 'gone'",
      10,
    ),
  ],
  [
    "status in ['draft', 'sen']",
    marked(
      `compares "status" with 'sen', which is not one of its values; did you mean "sent"?`,
      "status in ['draft', 'sen']",
      20,
    ),
  ],
  [
    "'gone' == status",
    marked(
      `compares "status" with 'gone', which is not one of its values; allowed: 'draft', 'sent', 'paid'`,
      "'gone' == status",
      0,
    ),
  ],
  [
    "start == '2023-02-29'",
    marked("compares a date with '2023-02-29', which is not valid", "start == '2023-02-29'", 9),
  ],
  ["'24:00' > opensAt", marked("compares a time of day with '24:00', which is not valid", "'24:00' > opensAt", 0)],
  ["code == 'x'", marked("compares an id with 'x', which is not valid", "code == 'x'", 8)],
  [
    "doneAt > 'yesterday'",
    marked("compares an instant with 'yesterday', which is not valid", "doneAt > 'yesterday'", 9),
  ],
  [
    "doneAt > '2024-02-30'",
    marked("compares an instant with '2024-02-30', which is not valid", "doneAt > '2024-02-30'", 9),
  ],
  [
    "doneAt > '2024-02-28T10:00:00'",
    marked("compares an instant with '2024-02-28T10:00:00', which is not valid", "doneAt > '2024-02-28T10:00:00'", 9),
  ],
  ['amount in [name]', marked('looks for "amount", a number, in a list of another type', 'amount in [name]', 10)],
  ['amount in other', marked('"in" needs a list, but this is a number', 'amount in other', 10)],
  ["[1, 'a']", marked('all items of a list must be of one type', "[1, 'a']", 4)],
  ["isOpen ? 1 : 'a'", marked('both sides of ":" must be of one type', "isOpen ? 1 : 'a'", 13)],
  ['amount ? 1 : 2', marked('"?" needs a condition, but this is a number', 'amount ? 1 : 2', 0)],
  ['!amount', marked('"!" turns true or false around, and this is a number', '!amount', 1)],
  ['amount && isOpen', marked('"&&" joins conditions, but this is a number', 'amount && isOpen', 0)],
  ['isOpen || name', marked('"||" joins conditions, but this is a text', 'isOpen || name', 10)],
  ['-name', marked('"-" negates a number, but this is a text', '-name', 1)],
  ['amount[0]', marked('"[…]" takes an item of a list, but this is a number', 'amount[0]', 0)],
  ["words['a']", marked('the index of an item is a number, but this is a text', "words['a']", 6)],
  ['{1: 2}', marked('the names of an object must be texts', '{1: 2}', 1)],
  ["{'a': 1, 'a': 2}", marked('gives "a" twice', "{'a': 1, 'a': 2}", 9)],
  ["{'a': 1}.a", marked('reads "a" of an object that the formula creates', "{'a': 1}.a", 0)],
  [
    'round(amount)',
    marked(
      'round() takes 2 values: round(x, digits), round(x, currency): rounded to decimal places or to the minor unit of a currency, half away from zero',
      'round(amount)',
      0,
    ),
  ],
  [
    'round(amount, isOpen)',
    marked('round() takes a number here, and this is true or false', 'round(amount, isOpen)', 14),
  ],
  [
    "round(amount, 'EURO')",
    marked("round() rounds to the minor unit of a currency, and 'EURO' is none", "round(amount, 'EURO')", 14),
  ],
  ['round(amount, 1.5)', marked('round() rounds to a whole number of digits, at most 100', 'round(amount, 1.5)', 14)],
  ['round(amount, 101)', marked('round() rounds to a whole number of digits, at most 100', 'round(amount, 101)', 14)],
  ['round(name, 2)', marked('round() takes a number here, and this is a text', 'round(name, 2)', 6)],
  ["floor('a')", marked('floor() takes a number here, and this is a text', "floor('a')", 6)],
  ['rond(amount, 2)', marked('calls "rond", which is not a function; did you mean "round"?', 'rond(amount, 2)', 0)],
  ['sum(lines)', marked('calls "sum", which is not a function; call it on a list: list.sum(…)', 'sum(lines)', 0)],
  [
    'amount.rund(2)',
    marked('calls "rund" on a number, which does not have it; did you mean "round"?', 'amount.rund(2)', 7),
  ],
  ['name.trm()', marked('calls "trm" on a text, which does not have it; did you mean "trim"?', 'name.trm()', 5)],
  ['trim(amount)', marked('trim() takes a text here, and this is a number', 'trim(amount)', 5)],
  ['weekday(amount)', marked('weekday() takes a date here, and this is a number', 'weekday(amount)', 8)],
  ["weekday('2024-02-30')", marked('weekday() takes a date here, and this is a text', "weekday('2024-02-30')", 8)],
  [
    "days(start, '2024-13-01')",
    marked("compares a date with '2024-13-01', which is not valid", "days(start, '2024-13-01')", 12),
  ],
  ['min(amount, name)', marked('min() takes values of one type, and this is a text', 'min(amount, name)', 12)],
  ['min(isOpen)', marked('min() compares numbers, texts and dates, and this is true or false', 'min(isOpen)', 4)],
  [
    'coalesce(amount, name)',
    marked('coalesce() takes values of one type, and this is a text', 'coalesce(amount, name)', 17),
  ],
  ["coalesce(start, 'soon')", marked("compares a date with 'soon', which is not valid", "coalesce(start, 'soon')", 16)],
  [
    'size(amount)',
    marked('size() counts the items of a list or the letters of a text, and this is a number', 'size(amount)', 5),
  ],
  [
    'lines.filter(l)',
    marked('"filter" has another form: .filter(x, …): the items for which the condition is true', 'lines.filter(l)', 5),
  ],
  [
    'lines.filter(l, l.price)',
    marked('"filter" asks of each what is true or false, and this is a number', 'lines.filter(l, l.price)', 16),
  ],
  ['lines.map()', marked('"map" has another form: .map(x, …): a list with the value for each item', 'lines.map()', 5)],
  ['lines.sum(l, l.label)', marked('"sum" adds numbers, and this is a text', 'lines.sum(l, l.label)', 13)],
  ['lines.sum()', marked('"sum" adds numbers, and this is an item of "lines"', 'lines.sum()', 0)],
  ['words.sum()', marked('"sum" adds numbers, and this is a text', 'words.sum()', 0)],
  [
    'lines.min(l, l.article)',
    marked('"min" compares numbers, texts and dates, and this is a record of "article"', 'lines.min(l, l.article)', 13),
  ],
  [
    'lines.sorted()',
    marked(
      '"sorted" compares keys that are numbers, texts or dates, and this is an item of "lines"',
      'lines.sorted()',
      0,
    ),
  ],
  [
    'lines.sorted(l, l.article)',
    marked(
      '"sorted" compares keys that are numbers, texts or dates, and this is a record of "article"',
      'lines.sorted(l, l.article)',
      16,
    ),
  ],
  [
    'lines.distinct(l, l.label)',
    marked(
      '"distinct" has another form: .distinct(): the items without duplicates; the first of equal items stays',
      'lines.distinct(l, l.label)',
      5,
    ),
  ],
  [
    'lines.first(1, 2)',
    marked(
      '"first" takes a name for each item first: .first(), .first(x, key): the first item, or the one with the least key; null is the least',
      'lines.first(1, 2)',
      12,
    ),
  ],
  [
    'lines.filtr(l, true)',
    marked('calls "filtr" on a list, which does not have it; did you mean "filter"?', 'lines.filtr(l, true)', 6),
  ],
  ['lines.price', marked('reads "price" of a list; use its items: .map(x, x.price)', 'lines.price', 6)],
  ['amount.filter(a, true)', marked('"filter" is for lists, but this is a number', 'amount.filter(a, true)', 0)],
  [
    'lines.map(l, l.prise)',
    marked('names "prise", which an item of "lines" does not have; did you mean "price"?', 'lines.map(l, l.prise)', 15),
  ],
  [
    'lines.map(l, l.record.amont)',
    marked('names "amont", which "rental" does not have; did you mean "amount"?', 'lines.map(l, l.record.amont)', 22),
  ],
  [
    'lines.exists(l, l.total)',
    marked('names "total", which an item of "lines" does not have', 'lines.exists(l, l.total)', 18),
  ],
  ['paidUntil()', marked('"paidUntil" is given day (a date), not 0 values', 'paidUntil()', 0)],
  ['paidUntil(1)', marked('"day" of "paidUntil" is a date, but this is a number', 'paidUntil(1)', 10)],
  ['paidUntil', marked('"paidUntil" is given day (a date)', 'paidUntil', 0)],
  [
    "paidUntil('2024-02-30')",
    marked("compares a date with '2024-02-30', which is not valid", "paidUntil('2024-02-30')", 10),
  ],
  ['total(1)', marked('"total" is given nothing, not 1 value', 'total(1)', 0)],
  ["scaled('a')", marked('"by" of "scaled" is a number, but this is a text', "scaled('a')", 7)],
  ['customer.total', marked('names "total", which "customer" does not have', 'customer.total', 9)],
  ['old.amont', marked('names "amont", which "rental" does not have; did you mean "amount"?', 'old.amont', 4)],
  [
    'workspace.curency',
    marked('names "curency", which "settings" does not have; did you mean "currency"?', 'workspace.curency', 10),
  ],
  ['todya', marked('names "todya", which the record does not have; did you mean "today"?', 'todya', 0)],
  [
    'record',
    marked(
      'names "record", which the record does not have; "record" is known only in the items of a list',
      'record',
      0,
    ),
  ],
  [
    'index',
    marked('names "index", which the record does not have; "index" is known only in the items of a list', 'index', 0),
  ],
  [
    'this',
    marked('names "this", which the record does not have; write only the names of fields of the record', 'this', 0),
  ],
  ['customer.parent.parent.x', marked('names "x", which "customer" does not have', 'customer.parent.parent.x', 23)],
  [
    'payments.map(p, p.rental.sent)',
    marked('"sent" is not stored, so a path cannot use it', 'payments.map(p, p.rental.sent)', 25),
  ],
  ['old.sent', marked('"sent" is not stored, so a path cannot use it', 'old.sent', 4)],
  [
    'rentals.lines.sources.filter(s, s.sourceId == customerId)',
    marked(
      'compares "s.sourceId", an id, with "customerId", an id of "customer"',
      'rentals.lines.sources.filter(s, s.sourceId == customerId)',
      46,
    ),
  ],
  [
    'rentals.filter(r, agentId in r.labels)',
    marked(
      'looks for "agentId", an id of "member", in a list of another type',
      'rentals.filter(r, agentId in r.labels)',
      29,
    ),
  ],
  ['function.x', marked('goes through "function", which is not a reference', 'function.x', 0)],
  ['amount\n  + nme', marked('names "nme", which the record does not have; did you mean "name"?', '+ nme', 2)],
  ['a__', marked('names "a__", which the record does not have and which is not the path of a group', 'a__', 0)],
  ['amount +\n  +', marked('is not a CEL expression: "+" stands where a value should', '+', 0)],
  ['address.town', marked('names "town", which "address" does not have', 'address.town', 8)],
  [
    "{'a': lines.sum(l, l.pric)}",
    marked(
      'names "pric", which an item of "lines" does not have; did you mean "price"?',
      "{'a': lines.sum(l, l.pric)}",
      21,
    ),
  ],
  ["start - 'soon'", marked("compares a date with 'soon', which is not valid", "start - 'soon'", 8)],
  ['lines[0].x', marked('names "x", which an item of "lines" does not have', 'lines[0].x', 9)],
  ['1.', marked('is not a CEL expression: a name is missing before its end', '1.', 2)],
  ['a.?b', marked('is not a CEL expression: a name is missing before "?"', 'a.?b', 2)],
  ['/* x */ 1', marked('is not a CEL expression: "/" stands where a value should', '/* x */ 1', 0)],
  [
    'amount not in [1]',
    marked('is not a CEL expression: "not" is not an operator; did you mean "!"?', 'amount not in [1]', 7),
  ],
  [
    'lines.filter(1, true)',
    marked('is not a CEL expression: a name for each item goes first: list.filter(x, …)', 'lines.filter(1, true)', 13),
  ],
  [
    'if (isOpen) 1',
    marked(
      'is not a CEL expression: "1" follows without one of +, -, *, /, ==, !=, <, <=, >, >=, in, && or ||',
      'if (isOpen) 1',
      12,
    ),
  ],
  ['amount === 1', marked('is not a CEL expression: "===" is not an operator; did you mean "=="?', 'amount === 1', 7)],
  ['isOpen ? 1', marked('is not a CEL expression: ":" is missing before its end', 'isOpen ? 1', 10)],
  [
    'isOpen ?: 1',
    marked('is not a CEL expression: the first of several values that is not null is coalesce(a, b)', 'isOpen ?: 1', 7),
  ],
  [
    'labels.filter(l, l.name == 1)',
    marked('compares "l.name", a text, with 1, a number', 'labels.filter(l, l.name == 1)', 27),
  ],
  [
    'lines.first(l, l.sources)',
    marked(
      '"first" compares keys that are numbers, texts or dates, and this is a list',
      'lines.first(l, l.sources)',
      15,
    ),
  ],
  ['today.x', marked('goes through "today", which is not a reference', 'today.x', 0)],
  ['actor.name', marked('goes through "actor", which is not a reference', 'actor.name', 0)],
  [
    'rentals.filter(r, r.amount > amount / 3)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.filter(r, r.amount > amount / 3)',
      0,
    ),
  ],
  [
    'rentals.filter(r, r.customer == customer)',
    marked(
      'searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them',
      'rentals.filter(r, r.customer == customer)',
      0,
    ),
  ],
];

/** What a formula looks at; what is not named is nothing. */
export const lookCases: readonly (readonly [
  formula: string,
  looks: { readonly [K in 'keys' | 'paths' | 'beyond' | 'collections']?: readonly string[] },
])[] = [
  ['amount + other', { keys: ['amount', 'other'] }],
  ['12', {}],
  ['customer', { keys: ['customerId'] }],
  ['customer.name', { keys: ['customerId'], paths: ['customer.name'], beyond: ['record customer.name'] }],
  [
    'customer.parent.name',
    { keys: ['customerId'], paths: ['customer.parent.name'], beyond: ['record customer.parent.name'] },
  ],
  [
    'customer.parent.parentId',
    { keys: ['customerId'], paths: ['customer.parent.parentId'], beyond: ['record customer.parent.parentId'] },
  ],
  ['address.city', { keys: ['address'] }],
  ['lines.sum(l, l.price * count)', { keys: ['count', 'lines'] }],
  ['lines.map(l, l.article.name)', { keys: ['lines'], beyond: ['record article'] }],
  ['lines.map(l, l.record.amount)', { keys: ['lines'] }],
  ['labelIds.size()', { keys: ['labelIds'] }],
  ['labels.size()', { keys: ['labelIds'], beyond: ['list labels'] }],
  ['labels.map(l, l.name)', { keys: ['labelIds'], beyond: ['list labels'] }],
  ['payments.sum(p, p.amount)', { keys: ['payments'], beyond: ['list payments'] }],
  [
    'payments.map(p, p.rental.customer.name)',
    { keys: ['payments'], beyond: ['list payments', 'record customer', 'record rental'] },
  ],
  ['country', { keys: ['customerId'], paths: ['customer.country'], beyond: ['record customer.country'] }],
  ['discount', { keys: ['discount'] }],
  ['total', { keys: ['lines'] }],
  ['paidUntil(start)', { keys: ['payments', 'start'], beyond: ['list payments'] }],
  [
    'customer.parent.country',
    { keys: ['customerId'], paths: ['customer.parent.country'], beyond: ['record customer.parent.country'] },
  ],
  ['today', { beyond: ['known today'] }],
  ['actor == agentId', { keys: ['agentId'], beyond: ['known actor'] }],
  ['workspace.currency', { paths: ['workspace.currency'], beyond: ['record workspace.currency'] }],
  ['old.amount', { beyond: ['known old'] }],
  ['old.customer.name', { beyond: ['record customer', 'known old'] }],
  [
    'rentals.filter(r, r.customerId == customerId && r.amount > other).count()',
    { keys: ['customerId', 'other'], beyond: ['collection rental'], collections: ['rental customerId'] },
  ],
  ['rentals.exists(r, true)', { beyond: ['collection rental'], collections: ['rental'] }],
  [
    'rentals.filter(r, r.customerId == customerId).map(r, r.customer.parent.name)',
    {
      keys: ['customerId'],
      beyond: ['collection rental', 'record parent', 'record customer'],
      collections: ['rental customerId'],
    },
  ],
  [
    'isOpen ? customer.name : name',
    { keys: ['customerId', 'isOpen', 'name'], paths: ['customer.name'], beyond: ['record customer.name'] },
  ],
  ['id', { keys: ['id'] }],
  ['createdAt', { keys: ['createdAt'] }],
  ['customer.id', { keys: ['customerId'], paths: ['customer.id'], beyond: ['record customer.id'] }],
  ['old.total', { beyond: ['known old'] }],
  ['words[count]', { keys: ['count', 'words'] }],
  ['days(start, end)', { keys: ['end', 'start'] }],
  ['{"a": amount}', { keys: ['amount'] }],
];

/** Where a formula says what goes beyond the record alone. */
export const lookOffsets: readonly (readonly [formula: string, offsets: readonly number[]])[] = [
  ['lines.map(l, l.article.name)', [13]],
  ['payments.map(p, p.rental.customer.name)', [0, 16, 16]],
  ['old.customer.name', [0, 0]],
  ['rentals.filter(r, r.customerId == customerId).map(r, r.customer.parent.name)', [0, 53, 53]],
  ['isOpen ? customer.name : name', [9]],
];

/** Formulas in words; names and values stand in backticks. */
export const wordCases: readonly (readonly [formula: string, words: string])[] = [
  ['isOpen', '`isOpen` is true'],
  ['!isOpen', '`isOpen` is false'],
  ['isOpen && isLate', '`isOpen` is true and `isLate` is true'],
  ["status == 'sent'", '`status` is `sent`'],
  ["status != 'sent'", '`status` is not `sent`'],
  ["note == ''", '`note` is empty'],
  ['amount == null', '`amount` is not set'],
  ['amount != null', '`amount` is set'],
  ['amount != null && (isOpen || isLate)', '`amount` is set and (`isOpen` is true or `isLate` is true)'],
  ['(isOpen && isLate) || let', '(`isOpen` is true and `isLate` is true) or `let` is true'],
  ['isOpen || isLate || let', '`isOpen` is true or `isLate` is true or `let` is true'],
  ['!(isOpen && isLate)', 'not (`isOpen` is true and `isLate` is true)'],
  ['!(!isOpen)', 'not (`isOpen` is false)'],
  ['amount < 5', '`amount` < `5`'],
  ['5 <= amount', '`5` ≤ `amount`'],
  ['amount > other', '`amount` > `other`'],
  ['amount >= 1.50', '`amount` ≥ `1.5`'],
  ["status in ['draft', 'sent']", '`status` is one of `draft`, `sent`'],
  ["!(status in ['draft'])", 'not (`status` is one of `draft`)'],
  ['amount + other > 5', '`amount` + `other` > `5`'],
  ['amount - other * count > 5', '`amount` − (`other` × `count`) > `5`'],
  ['(amount - other) * count > 5', '(`amount` − `other`) × `count` > `5`'],
  ['amount / 2 == 1', '`amount` ÷ `2` is `1`'],
  ['-amount > 1', '−`amount` > `1`'],
  ['amount > -1', '`amount` > `-1`'],
  ['isOpen == true', '`isOpen` is true'],
  ['isOpen == false', '`isOpen` is false'],
  ['isLate == isOpen', '`isLate` is `isOpen`'],
  ['isOpen ? isLate : let', '`isLate` is true if `isOpen` is true, otherwise `let` is true'],
  ['(isOpen ? amount : other) > 1', '(`amount` if `isOpen` is true, otherwise `other`) > `1`'],
  ['round(amount, 2) == amount', '`amount` rounded to `2` decimal places is `amount`'],
  ['coalesce(amount, other, 0) > 0', 'the first set value of (`amount`, `other`, `0`) > `0`'],
  ['start + 7 <= end', '`start` + `7` ≤ `end`'],
  ['end - start > 7', '`end` − `start` > `7`'],
  ['weekday(start) in [6, 7]', 'the day of the week of `start` is one of `6`, `7`'],
  ['startOfWeek(start) == start', 'the Monday of the week of `start` is `start`'],
  ['addMonths(start, 3) <= end', '`3` months after `start` ≤ `end`'],
  ['customer.parent.name == name', '`customer.parent.name` is `name`'],
  ['lines.exists(l, l.price > 0)', '`l.price` > `0` for at least one of the `lines`'],
  ['lines.all(l, l.price > 0 && l.quantity > 0)', '(`l.price` > `0` and `l.quantity` > `0`) for each of the `lines`'],
  ['lines.count() > 3', 'the number of `lines` > `3`'],
  ['lines.count(l, l.price > 3) > 1', '(the number of `lines` for which `l.price` > `3`) > `1`'],
  ['lines.sum(l, l.price * l.quantity) > 0', 'the sum of (`l.price` × `l.quantity`) of all `lines` > `0`'],
  ['lines.sum(l, l.price) > total', 'the sum of `l.price` of all `lines` > `total`'],
  ['numbers.sum() > 0', 'the sum of all `numbers` > `0`'],
  ['words.sorted() == words', 'the sorted list of `words` is `words`'],
  ['words.distinct().size() == words.size()', 'the length of the distinct values of `words` is the length of `words`'],
  ['lines.first(l, l.price).label == name', '`label` of the first of the `lines` by `l.price` is `name`'],
  ['lines.last().label == name', '`label` of the last of the `lines` is `name`'],
  [
    "lines.filter(l, l.price > 0).map(l, l.label) == ['a']",
    'a list of `l.label` for each of (the `lines` for which `l.price` > `0`) is [`a`]',
  ],
  [
    'rentals.filter(r, r.customerId == customerId).count() == 0',
    'the number of (the `rentals` for which `r.customerId` is `customerId`) is `0`',
  ],
  ['paidUntil(today) >= amount', '`paidUntil` for `today` ≥ `amount`'],
  ['scaled(2)[0] == 1', 'item `0` of (`scaled` for `2`) is `1`'],
  ['customer == null', '`customer` is not set'],
  ['labels.min(l, l.weight) == 1', 'the minimum `l.weight` of the `labels` is `1`'],
  ["startsWith(name, 'a')", '`name` starts with `a`'],
  ["cut(name, 2) == 'ab'", 'the first `2` characters of `name` is `ab`'],
  ["!name.startsWith('a')", 'not (`name` starts with `a`)'],
  ["lower(trim(name)) == 'a'", '(`name` without surrounding white space) in lower case is `a`'],
  ['function == 1', '`function` is `1`'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', '`null`'],
  ['old.amount != amount', '`old.amount` is not `amount`'],
  ['amount > 0 ? isOpen : isLate', '`isOpen` is true if `amount` > `0`, otherwise `isLate` is true'],
  [
    'days(start, end).all(d, weekday(d) < 6)',
    'the day of the week of `d` < `6` for each of (the list of days from `start` to `end`)',
  ],
  ["{'a': amount} == {'a': other}", '{`a`: `amount`} is {`a`: `other`}'],
  ['[1, 2][count] == 2', 'item `count` of [`1`, `2`] is `2`'],
  ['(amount > 1) == isOpen', '(`amount` > `1`) is `isOpen`'],
  ['amount == (isOpen ? 1 : 2)', '`amount` is (`1` if `isOpen` is true, otherwise `2`)'],
  ['lines[0].price == 1', '`price` of item `0` of `lines` is `1`'],
  ['name + "x" == title', '`name` + `x` is `title`'],
  ['abs(amount) > 1', 'the absolute value of `amount` > `1`'],
  ['lines.exists(l, true)', 'there is at least one of the `lines`'],
  ['size(name) > 3', 'the length of `name` > `3`'],
  ['!lines.exists(l, l.price > 0)', '`l.price` > `0` for none of the `lines`'],
  ['!lines.exists(l, true)', 'there is none of the `lines`'],
  ['coalesce(amount, 0) > 1', '(`amount`, or `0` if not set) > `1`'],
  ['amount - other + count - 1 > 0', '`amount` − `other` + `count` − `1` > `0`'],
  ['amount - (other + count) > 0', '`amount` − (`other` + `count`) > `0`'],
  ['isOpen && lines.all(l, l.price > 0)', '`isOpen` is true and `l.price` > `0` for each of the `lines`'],
  ['lines.all(l, l.price > 0 && isOpen)', '(`l.price` > `0` and `isOpen` is true) for each of the `lines`'],
  [
    '(isOpen ? 0 : isLate ? amount : other) == 1',
    '(`0` if `isOpen` is true, otherwise `amount` if `isLate` is true, otherwise `other`) is `1`',
  ],
  [
    '(isOpen ? (isLate ? 0 : amount) : other) == 1',
    '((`0` if `isLate` is true, otherwise `amount`) if `isOpen` is true, otherwise `other`) is `1`',
  ],
];
