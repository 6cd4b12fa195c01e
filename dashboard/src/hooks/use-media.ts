/** Fetches files of messages and shows them under `blob:` addresses, which end when the page of the conversations is left. */
import { createContext, useContext, useEffect, useState } from 'react'
import { type Credential, call, makeCredentialHeader } from '../api/client.js'
import { gatewayUrl } from '../api/places.js'
import { Problem, readProblem } from '../api/problem.js'
import { useThisInstance } from './use-this-instance.js'

/** Pictures that browsers draw and that cannot be a program. The gateway calls all else a download. */
const SHOWN = /^(image\/(jpeg|png|gif|webp)|video\/[\w.+-]+|audio\/[\w.+-]+)(;|$)/
/** Maximum of bytes of the files that stay in memory while they are not on the screen. */
const KEPT_BYTES = 64_000_000

interface Kept {
  readonly url: string
  readonly bytes: number
  /** Rows that show it. */
  users: number
}

/** Addresses of files that were fetched, those that were used last at the end. */
export class MediaStore {
  readonly #kept = new Map<string, Kept>()

  take(id: string): string | undefined {
    const known = this.#kept.get(id)
    if (known === undefined) return undefined
    known.users += 1
    this.#kept.delete(id)
    this.#kept.set(id, known)
    return known.url
  }

  add(id: string, blob: Blob): string {
    const known = this.take(id)
    if (known !== undefined) return known
    const url = URL.createObjectURL(blob)
    this.#kept.set(id, { url, bytes: blob.size, users: 1 })
    this.#trim(KEPT_BYTES)
    return url
  }

  leave(id: string): void {
    const known = this.#kept.get(id)
    if (known !== undefined) known.users -= 1
    this.#trim(KEPT_BYTES)
  }

  /** Ends all addresses. */
  end(): void {
    for (const { url } of this.#kept.values()) URL.revokeObjectURL(url)
    this.#kept.clear()
  }

  #trim(bytesMax: number): void {
    let bytes = [...this.#kept.values()].reduce((sum, one) => sum + one.bytes, 0)
    for (const [id, one] of this.#kept) {
      if (bytes <= bytesMax) return
      if (one.users > 0) continue
      URL.revokeObjectURL(one.url)
      this.#kept.delete(id)
      bytes -= one.bytes
    }
  }
}

export const MediaContext = createContext<MediaStore | undefined>(undefined)

export type MediaState =
  | { readonly step: 'none' | 'loading' }
  | { readonly step: 'shown'; readonly url: string }
  | { readonly step: 'failed'; readonly error: Error }

/** Returns the file of a message once it is asked for. `id` is the internal id, since senders choose that of the network. */
export function useMedia(id: string): { readonly state: MediaState; readonly load: () => void } {
  const { credential } = useThisInstance()
  const store = useContext(MediaContext)
  const [state, setState] = useState<MediaState>({ step: 'none' })
  const [wanted, setWanted] = useState(0)
  useEffect(() => {
    const known = store?.take(id)
    if (known !== undefined) {
      setState({ step: 'shown', url: known })
      return () => store?.leave(id)
    }
    if (wanted === 0 || credential === undefined || store === undefined) return undefined
    const controller = new AbortController()
    let isHeld = false
    setState({ step: 'loading' })
    fetchFile(credential, id, controller.signal).then(
      (blob) => {
        if (controller.signal.aborted) return
        isHeld = true
        setState({ step: 'shown', url: store.add(id, blob) })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ step: 'failed', error: error as Error })
      },
    )
    return () => {
      controller.abort()
      if (isHeld) store.leave(id)
    }
  }, [id, wanted, credential, store])
  return { state, load: () => setWanted((before) => before + 1) }
}

/** Returns a function that saves the file of a message under its own name, which the gateway tells the browser. */
export function useDownload(): (id: string) => Promise<void> {
  const { credential } = useThisInstance()
  return async (id) => {
    if (credential === undefined) return
    const link = document.createElement('a')
    link.href = await findLink(credential, id, false)
    link.download = ''
    link.rel = 'noreferrer'
    link.click()
  }
}

async function fetchFile(credential: Credential, id: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(await findLink(credential, id, !playsOgg(), signal), {
    headers: makeCredentialHeader(credential),
    credentials: 'omit',
    redirect: 'error',
    signal,
  })
  if (!response.ok) throw await readProblem(response)
  const blob = await response.blob()
  if (!SHOWN.test(blob.type)) throw new Problem('MEDIA_TYPE', 0, 'The file is of a kind that is not shown here.')
  return blob
}

/** Returns the address of the file at this gateway. The answer has that of `PUBLIC_URL`, of which only the path counts here. */
async function findLink(credential: Credential, id: string, asMp3: boolean, signal?: AbortSignal): Promise<string> {
  const { fileURL = '' } = await call('downloadMessage', credential, { body: { id, generate_mp3: asMp3 }, signal })
  const path = /\/media\/[^?#]*$/.exec(new URL(fileURL, gatewayUrl).pathname)?.[0]
  if (path === undefined) throw new Problem('MEDIA_NOT_FOUND', 0, 'The gateway gives no link to the file.')
  return gatewayUrl + path
}

function playsOgg(): boolean {
  return new Audio().canPlayType('audio/ogg; codecs=opus') !== ''
}
