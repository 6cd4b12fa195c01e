/** Search parameters of the page of groups. */
export interface GroupSearch {
  readonly view?: 'labels'
  /** Part of the names of the groups. */
  readonly name?: string
  /** The group that is open. */
  readonly group?: string
}

const NAME_MAX = 100

export function readGroupSearch({ view, name, group }: Record<string, unknown>): GroupSearch {
  if (view === 'labels') return { view }
  // A router reads digits in an address as a number.
  const text = typeof name === 'string' || typeof name === 'number' ? String(name).slice(0, NAME_MAX) : ''
  return {
    ...(text === '' ? {} : { name: text }),
    ...(typeof group === 'string' && /^[\w-]{1,80}@g\.us$/.test(group) ? { group } : {}),
  }
}
