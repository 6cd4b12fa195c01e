/** Filters that a person keeps in this browser, by the page on which they are used. */

export interface SavedFilter {
  readonly name: string
  /** Search parameters of the page. The page reads them as it reads an address. */
  readonly search: Readonly<Record<string, unknown>>
}

export const SAVED_MAX = 20
export const NAME_MAX = 60
/** Longest stored text that is read. Another program of the origin may have written it. */
const TEXT_MAX = 100_000

/** The store of a browser, which a person may have forbidden. */
export interface Store {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export function readFilters(store: Store, page: string): readonly SavedFilter[] {
  try {
    const text = store.getItem(makeKey(page)) ?? '[]'
    const read: unknown = text.length > TEXT_MAX ? [] : JSON.parse(text)
    return Array.isArray(read) ? read.filter(isFilter).slice(0, SAVED_MAX) : []
  } catch {
    return []
  }
}

/** Puts the filter in the place of one of the same name, else at the end. Returns false if there are too many, or if nothing is kept. */
export function keepFilter(store: Store, page: string, filter: SavedFilter): boolean {
  const name = filter.name.slice(0, NAME_MAX)
  const others = readFilters(store, page).filter((one) => one.name !== name)
  return others.length < SAVED_MAX && write(store, page, [...others, { name, search: filter.search }])
}

export function forgetFilter(store: Store, page: string, name: string): boolean {
  return write(
    store,
    page,
    readFilters(store, page).filter((one) => one.name !== name),
  )
}

/** Tells whether two views filter the same way, whatever the order of their parameters. */
export function isSameFilter(one: SavedFilter['search'], other: SavedFilter['search']): boolean {
  return formatSearch(one) === formatSearch(other)
}

function formatSearch(search: SavedFilter['search']): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined)
  return JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function write(store: Store, page: string, filters: readonly SavedFilter[]): boolean {
  try {
    store.setItem(makeKey(page), JSON.stringify(filters))
    return true
  } catch {
    return false
  }
}

function makeKey(page: string): string {
  return `posthorn.filters.${page}`
}

function isFilter(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false
  const { name, search } = value as Partial<SavedFilter>
  return (
    typeof name === 'string' && name !== '' && name.length <= NAME_MAX && typeof search === 'object' && search !== null
  )
}
