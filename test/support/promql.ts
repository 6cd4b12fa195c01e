/** Reads a query of Prometheus with Prometheus' own grammar. */
import { parser } from '@prometheus-io/lezer-promql'

export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}

export interface Query {
  readonly selectors: readonly Selector[]
  /** Labels by which something is summed or joined. */
  readonly groupings: readonly string[]
}

/** @throws with the place where the query is not PromQL */
export function readQuery(text: string): Query {
  const selectors: { metric: string; matchers: Selector['matchers'][number][] }[] = []
  const groupings: string[] = []
  let isGrouping = false
  parser.parse(text).iterate({
    enter(node) {
      const said = text.slice(node.from, node.to)
      if (node.type.isError) throw new Error(`No PromQL at ${node.from}: ${text}`)
      if (node.name === 'VectorSelector') selectors.push({ metric: '', matchers: [] })
      const last = selectors.at(-1)
      switch (node.name) {
        case 'GroupingLabels':
          isGrouping = true
          break
        case 'LabelName':
          if (isGrouping) groupings.push(said)
          break
        case 'Identifier':
          if (last !== undefined) last.metric = said
          break
        case 'UnquotedLabelMatcher': {
          const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(said) ?? []
          if (label === '') throw new Error(`No matcher that is understood here: ${said}`)
          last?.matchers.push({ label, operator, value })
          return false
        }
        default:
      }
      return true
    },
    leave(node) {
      if (node.name === 'GroupingLabels') isGrouping = false
    },
  })
  return { selectors, groupings }
}

/** Of each sample name of a scrape, the labels that it has, with the values that were seen. */
export function samplesIn(scrape: string): Map<string, Map<string, Set<string>>> {
  const samples = new Map<string, Map<string, Set<string>>>()
  for (const [, name = '', labels = ''] of scrape.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const seen = samples.get(name) ?? new Map<string, Set<string>>()
    samples.set(name, seen)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      seen.set(label, (seen.get(label) ?? new Set()).add(value))
  }
  return samples
}
