import type { Change, InstanceJournal, WriteResult } from './ports.js'

/** A journal whose writes inside `together` become one: the store promises order and durability, this adds the bracket. */
export function withTogether(journal: Omit<InstanceJournal, 'together'>): InstanceJournal {
  let open:
    | {
        readonly changes: Change[]
        readonly result: Promise<WriteResult>
        readonly resolve: (result: Promise<WriteResult>) => void
      }
    | undefined

  return {
    settled: () => journal.settled(),
    write(changes) {
      if (open === undefined) return journal.write(changes)
      open.changes.push(...changes)
      return open.result
    },
    together(work) {
      if (open !== undefined) {
        work()
        return
      }
      let resolve: (result: Promise<WriteResult>) => void = () => {}
      const result = new Promise<WriteResult>((done) => {
        resolve = done
      })
      const mine = { changes: [] as Change[], result, resolve }
      open = mine
      try {
        work()
      } finally {
        open = undefined
        if (mine.changes.length > 0) mine.resolve(journal.write(mine.changes))
      }
    },
  }
}
