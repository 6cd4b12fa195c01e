/**
 * Reads a phone number as the network has it: digits with country code. Lengths and prefixes of the countries are those of libphonenumber;
 * rules of WhatsApp are ours. What a text says of its own comes first: its digits are taken as they are if they can be an international number.
 * Lengths decide, and not whether the digits are given to somebody: ranges are new before the library knows them.
 */
import { createRequire } from 'node:module'
import { Metadata, type MetadataJson } from 'libphonenumber-js/core'
import { LRUCache } from 'lru-cache'
import { NO_NUMBER, type NumberText, readNumberText } from './number-text.js'

// Bound: 100, a number that `readNumberText` took.

export type ReadNumber = { readonly digits: string } | { readonly why: string }

/** What the library knows of the numbers of a calling code. */
interface Plan {
  readonly lengths: ReadonlySet<number>
  /** Matches the prefix that is dialled within the country only, with the code of a carrier. */
  readonly prefix: RegExp | null
  readonly prefixBecomes: string | null
  /** Matches what is dialled before an international number. */
  readonly abroad: RegExp | null
  /** Matches national numbers of a kind that is in use. */
  readonly inUse: RegExp
}

/** Methods of the library's class that its types leave out. */
interface Numbering {
  callingCode(): string
  IDDPrefix(): string | undefined
  nationalNumberPattern(): string
  possibleLengths(): readonly number[]
  nationalPrefixForParsing(): string | undefined
  nationalPrefixTransformRule(): string | undefined
  hasTypes(): boolean
  type(name: string): { pattern(): string } | undefined
}

const TYPES = ['MOBILE', 'FIXED_LINE', 'TOLL_FREE', 'PREMIUM_RATE', 'PERSONAL_NUMBER', 'UAN', 'VOIP', 'SHARED_COST']
const DIGITS_MAX = 15
const DIGITS_MIN = 6
const LOCAL_BELOW = 10
const LOCAL = 'is so short that it may have neither country code nor area code: write it with + and the country code'
const CACHE_MAX = 10_000
const CACHED_LENGTH_MAX = 30

const cache = new LRUCache<string, ReadNumber>({ max: CACHE_MAX })
const plans = new Map<string, Plan | null>()
let library: { readonly json: MetadataJson; readonly metadata: Metadata } | undefined

/**
 * Reads a number that a person typed.
 * @param country ISO code of the country whose national numbers are taken; empty: none are
 */
export function readPhoneNumber(text: string, country = ''): ReadNumber {
  if (text.length > CACHED_LENGTH_MAX) return toNumber(readNumberText(text), country)
  const key = `${country}:${text}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const read = toNumber(readNumberText(text), country)
  cache.set(key, read)
  return read
}

/** Whether the library knows a country by this ISO code. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(metadata().json.countries, code)
}

function toNumber(text: NumberText, country: string): ReadNumber {
  if ('why' in text) return text
  const { digits, isInternational } = text
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX + 5) return { why: NO_NUMBER }
  if (isInternational) return internationalNumber(digits)
  if (country === '') return withoutCountry(digits)
  return withCountry(digits, country)
}

function withoutCountry(digits: string): ReadNumber {
  const how = 'give it with its country code, or set the defaultCountry of the instance'
  if (digits.startsWith('0')) return { why: `begins with 0, so it is a national number: ${how}` }
  const read = internationalNumber(digits)
  if ('why' in read) return { why: `${read.why}; if it is a national number, ${how}` }
  return isLocal(read.digits) ? { why: LOCAL } : read
}

/** Whether digits without + are so few that they rather are a number without its area code. */
function isLocal(digits: string): boolean {
  return digits.length < LOCAL_BELOW && !isInUse(digits)
}

function withCountry(digits: string, country: string): ReadNumber {
  const abroad = digits.startsWith('0') ? ({ why: '' } as const) : internationalNumber(digits)
  const national = nationalNumber(digits, country)
  if (national === null) {
    if ('digits' in abroad) return isLocal(abroad.digits) ? { why: LOCAL } : abroad
    return {
      why: `is neither an international number nor one of the country ${country}, which the instance has as its defaultCountry`,
    }
  }
  if (!('digits' in abroad) || abroad.digits === national || !isInUse(abroad.digits)) return { digits: national }
  // People of a country write its code more often than an area code that looks like it, such as 49 and 4915 of Germany.
  if (abroad.digits.startsWith(findCallingCode(country))) return abroad
  return { why: `may be +${abroad.digits} or +${national}: write it with + and the country code` }
}

/** Reads digits that begin with a country code. */
function internationalNumber(digits: string): ReadNumber {
  const found = callingCode(digits)
  if (found === null) return { why: 'begins with no country code that exists' }
  const { code, plan } = found
  const rest = digits.slice(code.length)
  if (isPossible(code, rest, plan)) return { digits }
  // A zero that is dialled within the country only, or the 15 of mobile numbers of Argentina.
  const inner = rest.startsWith('0') || code === '54' ? withoutPrefix(rest, plan) : rest
  // The plan of Norfolk Island puts an area code before a short number: nobody has typed that.
  const isTyped = code === '54' || rest.endsWith(inner)
  if (inner !== rest && isTyped && isPossible(code, inner, plan) && matches(code, inner, plan))
    return { digits: `${code}${inner}` }
  const how = plan.lengths.has(rest.length)
    ? `no number there begins with ${rest.slice(0, 2)}`
    : `it has ${rest.length} digits after it`
  return { why: `is not a possible number of the country code ${code}: ${how}` }
}

/** Returns the international digits of a national number that is in use; null if it is none. */
function nationalNumber(digits: string, country: string): string | null {
  const code = findCallingCode(country)
  const plan = findPlan(country)
  if (plan === null) return null
  const abroad = plan.abroad?.exec(digits)?.[0]
  if (abroad !== undefined && digits.startsWith('0')) {
    const read = internationalNumber(digits.slice(abroad.length))
    if ('digits' in read) return read.digits
  }
  const forms = [digits, withoutPrefix(digits, plan), ...(code === '52' ? [digits.replace(/^(?:01|04[45])/, '')] : [])]
  const number = forms.find((form) => matches(code, form, plan))
  return number === undefined ? null : `${code}${number}`
}

/** Returns the part of a national number without the prefix that is dialled within the country. */
function withoutPrefix(digits: string, { prefix, prefixBecomes }: Plan): string {
  const found = prefix?.exec(digits) ?? null
  if (found === null || prefix === null) return digits
  // The rule is for numbers of which the prefix caught a part.
  const isCaught = found.length > 1 && found.at(-1) !== undefined
  return prefixBecomes !== null && isCaught ? digits.replace(prefix, prefixBecomes) : digits.slice(found[0].length)
}

function isPossible(code: string, rest: string, { lengths, inUse }: Plan): boolean {
  if (code.length + rest.length > DIGITS_MAX) return false
  // The area code 555 is given to nobody: numbers of simulated networks have it, and any length.
  if (code === '1' && /^555\d{4,8}$/.test(rest)) return true
  // Area codes of North America begin with 2 to 9; a mobile number of Brazil that people give without country code looks like one with 1.
  if (code === '1') return /^[2-9]\d{9}$/.test(rest)
  // Old accounts of Mexico have a 1 between country code and number, as their JIDs do.
  if (code === '52' && /^1\d{10}$/.test(rest)) return true
  // In Italy and some other countries the 0 is part of the number. In most it is only dialled within the country.
  return lengths.has(rest.length) && (!rest.startsWith('0') || inUse.test(rest))
}

/** Whether the digits belong to a range of numbers that is in use. */
function isInUse(digits: string): boolean {
  const found = callingCode(digits)
  if (found === null) return false
  const rest = digits.slice(found.code.length)
  return matches(found.code, found.code === '52' && rest.length === 11 ? rest.slice(1) : rest, found.plan)
}

function matches(code: string, rest: string, { inUse }: Plan): boolean {
  if (inUse.test(rest)) return true
  // Accounts of Brazil that are older than the ninth digit are known without it.
  return code === '55' && /^[1-9]\d[6-9]\d{7}$/.test(rest) && inUse.test(`${rest.slice(0, 2)}9${rest.slice(2)}`)
}

function callingCode(digits: string): { readonly code: string; readonly plan: Plan } | null {
  for (const length of [1, 2, 3]) {
    const code = digits.slice(0, length)
    const plan = findPlan(code)
    if (plan !== null) return { code, plan }
  }
  return null
}

/** @param name a calling code or the ISO code of a country */
function findPlan(name: string): Plan | null {
  const known = plans.get(name)
  if (known !== undefined) return known
  const plan = makePlan(name)
  plans.set(name, plan)
  return plan
}

function findCallingCode(country: string): string {
  return findNumbering(country).callingCode()
}

function makePlan(name: string): Plan | null {
  const { json } = metadata()
  const isCode = /^\d/.test(name)
  const countries = json.country_calling_codes[isCode ? name : findCallingCode(name)]
  if (isCode && countries === undefined && json.nonGeographic[name] === undefined) return null
  const own = findNumbering(name)
  const all = countries === undefined ? [own] : countries.map(findNumbering)
  const [prefix, abroad] = [own.nationalPrefixForParsing(), own.IDDPrefix()]
  return {
    lengths: new Set(own.possibleLengths()),
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
    prefixBecomes: own.nationalPrefixTransformRule() || null,
    abroad: abroad ? new RegExp(`^(?:${abroad})`) : null,
    inUse: new RegExp(`^(?:${all.flatMap(listPatterns).join('|')})$`),
  }
}

function listPatterns(numbering: Numbering): readonly string[] {
  const patterns = numbering.hasTypes() ? TYPES.flatMap((name) => numbering.type(name)?.pattern() ?? []) : []
  return patterns.length === 0 ? [numbering.nationalNumberPattern()] : patterns
}

function findNumbering(name: string): Numbering {
  const { metadata: all } = metadata()
  all.selectNumberingPlan(name as never)
  return all.numberingPlan as unknown as Numbering
}

/** Reads the metadata at the first number: a node without numbers holds none of it. */
function metadata(): NonNullable<typeof library> {
  if (library !== undefined) return library
  const json = createRequire(import.meta.url)('libphonenumber-js/max/metadata') as MetadataJson
  library = { json, metadata: new Metadata(json) }
  return library
}
