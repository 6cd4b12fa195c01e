import { useEffect, useRef, useState } from 'react'
import type { ListAnswer, ListBuild, ListHead, ListRequest } from './list-worker.js'
import workerAddress from './list-worker.js?worker&url'
import type { ListMapping } from './recipients.js'

interface ListState {
  readonly head: ListHead | undefined
  readonly built: ListBuild | undefined
  readonly failed: string | undefined
  readonly isBusy: boolean
}

const EMPTY: ListState = { head: undefined, built: undefined, failed: undefined, isBusy: false }

/** The policy of the page lets a script name a worker by this policy only, and it allows our one address. */
const policy = (
  globalThis as unknown as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(address: string): string },
      ): { createScriptURL(address: string): unknown }
    }
  }
).trustedTypes?.createPolicy('posthorn', { createScriptURL: () => workerAddress })

/** Reads a list of recipients and makes their lines, in a worker. Answers to earlier requests are left out. */
export function useListWorker() {
  const [state, setState] = useState<ListState>(EMPTY)
  const worker = useRef<Worker | undefined>(undefined)
  const last = useRef(0)
  useEffect(() => () => worker.current?.terminate(), [])

  function ask(request: { type: 'read'; blob: Blob } | { type: 'build'; mapping: ListMapping }): void {
    if (worker.current === undefined) {
      const address = (policy?.createScriptURL('') ?? workerAddress) as string
      worker.current = new Worker(address, { type: 'module' })
      worker.current.addEventListener('message', ({ data }: MessageEvent<ListAnswer>) => take(data))
    }
    last.current += 1
    worker.current.postMessage({ ...request, id: last.current } satisfies ListRequest)
    setState((before) => ({ ...before, isBusy: true, failed: undefined }))
  }

  function take(answer: ListAnswer): void {
    if (answer.id !== last.current) return
    if ('head' in answer) setState({ ...EMPTY, head: answer.head })
    else if ('built' in answer) setState((before) => ({ ...before, built: answer.built, isBusy: false }))
    else setState((before) => ({ ...before, failed: answer.failed, isBusy: false }))
  }

  return {
    ...state,
    read: (blob: Blob) => ask({ type: 'read', blob }),
    build: (mapping: ListMapping) => ask({ type: 'build', mapping }),
  }
}
