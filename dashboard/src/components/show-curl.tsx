import { useState } from 'react'
import type { ShownCall } from '../api/shown-call.js'
import { useWords } from '../words/index.js'
import { Button } from './button.js'
import { CallLines } from './call-lines.js'
import { Dialog } from './dialog.js'

/** A button that shows the call behind an action, for programs. */
export function ShowCurl({ call }: { readonly call: ShownCall }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.showCurl}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.curlTitle}>
        <CallLines call={call} />
      </Dialog>
    </>
  )
}
