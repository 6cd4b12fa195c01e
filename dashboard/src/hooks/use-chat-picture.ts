import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Credential, callPicture } from '../api/client.js'

const FRESH_MS = 10 * 60_000
/** Pictures that are asked for at once. A browser has six connections for one host, and the stream has one of them. */
const AT_ONCE = 2

/** Returns the address of a picture within this page, fetched through the gateway; undefined until there is one. Without a number it is that of the own account. */
export function useChatPicture(id: string, credential: Credential | undefined, number?: string): string | undefined {
  const { data: picture } = useQuery({
    queryKey: makeKey(id, number),
    enabled: credential !== undefined,
    staleTime: FRESH_MS,
    retry: false,
    // A row that comes into sight again does not ask again for what was refused.
    retryOnMount: false,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      if (credential === undefined) throw new Error('There is no pass for this instance yet.')
      const leave = await waitForPlace(signal)
      try {
        return await callPicture(credential, { ...(number === undefined ? {} : { number }), preview: true }, signal)
      } finally {
        leave()
      }
    },
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!picture) return undefined
    const made = URL.createObjectURL(picture)
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [picture])
  return url
}

/** Returns a function that keeps a picture that was just given, or null after it was taken away: the gateway shows the former one for a while. */
export function useKeepPicture(id: string, number?: string): (picture: Blob | null) => void {
  const client = useQueryClient()
  return (picture) => {
    void client.cancelQueries({ queryKey: makeKey(id, number) })
    client.setQueryData<Blob | null>(makeKey(id, number), picture)
  }
}

function makeKey(id: string, number: string | undefined) {
  return ['picture', id, number ?? '']
}

let running = 0
const waiting: (() => void)[] = []

/** Waits until fewer than `AT_ONCE` pictures are asked for. Returns the function that ends this one. @throws Error if it is no longer wanted */
async function waitForPlace(signal: AbortSignal): Promise<() => void> {
  if (running < AT_ONCE) running += 1
  else await new Promise<void>((go) => waiting.push(go))
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  if (signal.aborted) {
    leave()
    throw new Error('The picture is no longer wanted.')
  }
  return leave
}
