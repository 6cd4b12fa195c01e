import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { makeLate } from '../../components/late.js'
import { useBulkWords } from '../../words/bulk/index.js'

/** Few people import: the list opens without the form. */
const ImportForm = makeLate<{ readonly onClose: () => void }>(async () => (await import('./import-form.js')).ImportForm)

/** A button, and the dialog that takes an instance from the file of another installation. */
export function ImportInstance() {
  const words = useBulkWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.importInstance}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.importInstance}>
        <ImportForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
