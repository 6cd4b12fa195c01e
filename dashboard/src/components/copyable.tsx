import { useEffect, useRef, useState } from 'react'
import { Button } from './button.js'
import styles from './controls.module.css'

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
    <div className={styles.copyable}>
      <pre ref={place}>{text}</pre>
      <Button onClick={() => void take()}>
        <span aria-live="polite">{isCopied ? copied : copy}</span>
      </Button>
    </div>
  )
}
