/**
 * `npm run demo`: a gateway is used as one would use it, all on this machine, on a simulated network; with `-- --nodes 3`, a cluster of them; with
 * `-- --agent`, an agent that answers a customer; with `-- --chatwoot`, an inbox of Chatwoot; with `-- --open` the dashboard opens in a browser.
 */

import { errorText } from '../lib/error-text.js'
import { openBrowser } from '../runtime/node/api.js'
import { agentStory } from './agent.js'
import { chatwootStory } from './chatwoot.js'
import { storyOfNodes } from './cluster/story.js'
import { type DemoOptions, readOptions } from './options.js'
import { type Story, setStage } from './stage.js'
import { createTranscript } from './transcript.js'
import { twoAccounts } from './two-accounts.js'

async function main(): Promise<void> {
  const { exits, opens, ...options } = readOptions(process.argv.slice(2))
  const [title, story] = chosen(options)
  const tell = createTranscript()
  const undos: (() => Promise<void> | void)[] = []
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  try {
    tell.title(title)
    const { summary, toPlayWith } = await story(await setStage(tell, (work) => void undos.push(work)))
    tell.title(`Done: ${summary}`)
    if (!exits) {
      for (const line of toPlayWith) tell.note(line)
      const address = toPlayWith.flatMap((line) => /^Dashboard: (\S+)/.exec(line)?.[1] ?? [])[0]
      if (opens && address !== undefined) openBrowser(address, (sentence) => tell.note(sentence.trim()))
      else if (opens) tell.note('There is no dashboard to open: it is not built.')
      tell.note('It stays up to play with; Ctrl+C ends it and removes what it stored.')
      await interrupted
    }
  } finally {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) await undo()
  }
}

function chosen({ nodes, hasAgent, hasChatwoot }: Omit<DemoOptions, 'exits' | 'opens'>): readonly [string, Story] {
  if (hasAgent) return ['Posthorn: an agent answers a customer', agentStory]
  if (hasChatwoot) return ['Posthorn: an inbox of Chatwoot, where an agent answers a customer', chatwootStory]
  if (nodes === undefined) return ['Posthorn: two accounts write to each other', twoAccounts]
  return [`Posthorn: ${nodes} nodes, one of which is killed on the way`, storyOfNodes(nodes)]
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\nThe demo failed: ${errorText(error)}\n`)
    process.exit(1)
  },
)
