import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from './button.js'

interface CopyableProps {
  readonly text: string
  readonly copy: string
  readonly copied: string
}

/** Time for which the button says that the text was copied. */
const SHOWN_MS = 2_000

/** Text with a button that copies it. On plain HTTP, where pages have no clipboard, the text is selected instead. */
export function Copyable({ text, copy, copied }: CopyableProps) {
  const place = useRef<HTMLPreElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function take(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      if (place.current !== null) getSelection()?.selectAllChildren(place.current)
    }
  }

  return (
    <div className="flex flex-wrap items-start gap-2">
      <pre
        ref={place}
        className="min-w-0 flex-[1_1_16rem] rounded-md bg-sunken px-3 py-2 whitespace-pre-wrap select-all"
      >
        {text}
      </pre>
      <Button icon={isCopied ? Check : Copy} onClick={() => void take()}>
        <span aria-live="polite">{isCopied ? copied : copy}</span>
      </Button>
    </div>
  )
}
