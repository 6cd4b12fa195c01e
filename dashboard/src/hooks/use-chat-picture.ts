import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Credential, callPicture } from '../api/client.js'

const FRESH_MS = 10 * 60_000

/** Returns the address of a picture within this page, fetched through the gateway; undefined until there is one. Without a number it is that of the own account. */
export function useChatPicture(id: string, credential: Credential | undefined, number?: string): string | undefined {
  const { data: picture } = useQuery({
    queryKey: keyOf(id, number),
    enabled: credential !== undefined,
    staleTime: FRESH_MS,
    retry: false,
    queryFn: ({ signal }) => {
      if (credential === undefined) throw new Error('There is no pass for this instance yet.')
      return callPicture(credential, { ...(number === undefined ? {} : { number }), preview: true }, signal)
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
    void client.cancelQueries({ queryKey: keyOf(id, number) })
    client.setQueryData<Blob | null>(keyOf(id, number), picture)
  }
}

function keyOf(id: string, number: string | undefined) {
  return ['picture', id, number ?? '']
}
