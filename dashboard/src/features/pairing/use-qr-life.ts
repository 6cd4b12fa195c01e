import { useEffect, useRef, useState } from 'react'

/**
 * Returns the seconds until another code replaces the one shown, and how many they were when this page got it. Counts from the gateway's time
 * (`now`), since the clock of the browser may be wrong. Undefined if no end is known.
 */
export function useQrLife(endsAt: string | null, now: string | undefined): { left: number; all: number } | undefined {
  const known = useRef<{ endsAt: string; endsMs: number; allMs: number } | undefined>(undefined)
  const [, tick] = useState(0)
  if (endsAt === null) known.current = undefined
  else if (known.current?.endsAt !== endsAt) {
    const allMs = Date.parse(endsAt) - (now === undefined ? Date.now() : Date.parse(now))
    known.current = Number.isFinite(allMs) && allMs > 0 ? { endsAt, endsMs: Date.now() + allMs, allMs } : undefined
  }
  const isCounting = known.current !== undefined
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(() => tick((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [isCounting])
  if (known.current === undefined) return undefined
  const { endsMs, allMs } = known.current
  return { left: Math.max(0, Math.ceil((endsMs - Date.now()) / 1_000)), all: Math.ceil(allMs / 1_000) }
}
