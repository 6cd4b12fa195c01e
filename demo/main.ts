/** `npm run demo`: a gateway is used as one would use it, all on this machine, on a simulated network; with `-- --nodes 3`, a cluster of them. */
import { errorText } from '../schemas/error-text.js'
import { storyOfNodes } from './cluster/story.js'
import { readOptions } from './options.js'
import { type Story, setStage } from './stage.js'
import { createTranscript } from './transcript.js'
import { twoAccounts } from './two-accounts.js'

async function main(): Promise<void> {
  const { exits, nodes } = readOptions(process.argv.slice(2))
  const story: Story = nodes === undefined ? twoAccounts : storyOfNodes(nodes)
  const tell = createTranscript()
  const undos: (() => Promise<void> | void)[] = []
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    tell.title(
      nodes === undefined
        ? 'Posthorn: two accounts write to each other'
        : `Posthorn: ${nodes} nodes, one of which is killed on the way`,
    )
    const { summary, toPlayWith } = await story(await setStage(tell, (work) => void undos.push(work)))
    tell.title(`Done: ${summary}`)
    if (!exits) {
      for (const line of toPlayWith) tell.note(line)
      tell.note('It stays up to play with; Ctrl+C ends it and removes what it stored.')
      await interrupted
    }
  } finally {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) await undo()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\nThe demo failed: ${errorText(error)}\n`)
    process.exit(1)
  },
)
