// ISO 4217 currencies in use in late 2026 (list one up to amendment 180) and their minor units. A table of our own,
// because the Intl data of the machine follow CLDR, whose digits differ (IQD 0 there, 3 here).
//
// In: the currencies of countries, and those of currency unions (XAF, XCD, XCG, XOF, XPF).
// Out: fund and index codes (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI, UYW), units of account (XAD, XDR, XSU, XUA), metals,
// XTS and XXX, as nobody is paid in them; and what has been withdrawn, lately ANG (now XCG), BGN and HRK (now EUR),
// CUC, SLL (now SLE), ZWL (now ZWG).

const codesByMinorUnits: readonly (readonly [minorUnits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
     CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
     KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
     PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY
     TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
];

const minorUnitsByCode: ReadonlyMap<string, number> = new Map(
  codesByMinorUnits.flatMap(([units, codes]) => codes.split(/\s+/).map((code) => [code, units] as const)),
);

/** All codes, in alphabetical order. */
export const currencyCodes: readonly string[] = Object.freeze([...minorUnitsByCode.keys()].sort());

/** True for a code in use, in capital letters. */
export function isCurrency(code: string): boolean {
  return minorUnitsByCode.has(code);
}

/** Decimals of the smallest unit: 2 for EUR, 0 for JPY, 3 for KWD. @throws RangeError for other than a code in use. */
export function minorUnits(code: string): number {
  const units = minorUnitsByCode.get(code);
  if (units === undefined) throw new RangeError(`unknown currency ${code}`);
  return units;
}
