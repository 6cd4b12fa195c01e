/** Reads the options after `npm run demo --`. */
import { parseArgs } from 'node:util'

export interface DemoOptions {
  /** It ends after a complete run, instead of staying up. */
  readonly exits: boolean
  /** Undefined: one gateway, without a balancer before it. */
  readonly nodes: number | undefined
  /** It shows an agent that answers. */
  readonly hasAgent: boolean
  /** It shows an instance as an inbox of Chatwoot. */
  readonly hasChatwoot: boolean
  /** It opens the dashboard in a browser. */
  readonly opens: boolean
}

/** @throws Error with a sentence for the one who typed it */
export function readOptions(typed: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...typed],
    options: {
      exit: { type: 'boolean' },
      nodes: { type: 'string' },
      agent: { type: 'boolean' },
      chatwoot: { type: 'boolean' },
      open: { type: 'boolean' },
    },
  })
  const hasAgent = values.agent ?? false
  const hasChatwoot = values.chatwoot ?? false
  for (const [name, isChosen] of Object.entries({ '--agent': hasAgent, '--chatwoot': hasChatwoot }))
    if (isChosen && values.nodes !== undefined)
      throw new Error(`${name} shows one gateway; leave out --nodes, or leave out ${name}.`)
  if (hasAgent && hasChatwoot) throw new Error('--agent and --chatwoot are two stories; choose one.')
  const nodes = values.nodes === undefined ? undefined : parseNodes(values.nodes)
  return { exits: values.exit ?? false, nodes, hasAgent, hasChatwoot, opens: values.open ?? false }
}

function parseNodes(typed: string): number {
  const nodes = /^\d{1,3}$/.test(typed) ? Number(typed) : 0
  if (nodes < 2)
    throw new Error(
      `--nodes takes a whole number from 2 on, since one of them is killed, and not "${typed}"; without it the demo runs one gateway.`,
    )
  return nodes
}
