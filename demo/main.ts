/** `npm run demo`: a gateway is used as one would use it, all on this machine, on a simulated network. */
import { setStage } from './stage.js'
import { createTranscript } from './transcript.js'
import { twoAccounts } from './two-accounts.js'

async function main(): Promise<void> {
  const exits = process.argv.includes('--exit')
  const tell = createTranscript()
  const undos: (() => Promise<void> | void)[] = []
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    tell.title('Posthorn: two accounts write to each other')
    const { summary, toPlayWith } = await twoAccounts(await setStage(tell, (work) => void undos.push(work)))
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
    process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
