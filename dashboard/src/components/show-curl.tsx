import { useState } from 'react'
import { useWords } from '../words/index.js'
import { Button } from './button.js'
import { Copyable } from './copyable.js'
import { Dialog } from './dialog.js'

/** A button that shows the call behind an action as a line for a shell (`format/curl.ts`). */
export function ShowCurl({ line }: { readonly line: string }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.showCurl}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.curlTitle}>
        <Copyable text={line} copy={words.copy} copied={words.copied} />
      </Dialog>
    </>
  )
}
