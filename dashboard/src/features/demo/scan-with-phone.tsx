import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { showUnseen } from '../../format/visible.js'
import { useDemoPhones, useLinkPhone } from '../../hooks/use-demo.js'
import { useDemoWords } from '../../words/demo/index.js'

/** Pairs with a phone of the demo: it scans the QR, or types the code. */
export function ScanWithPhone({ qr, code = '' }: { readonly qr: string; readonly code?: string }) {
  const demo = useDemoWords()
  const { data: phones = [] } = useDemoPhones()
  const link = useLinkPhone()
  const waiting = useRef<{ readonly phone: string; readonly qr: string } | null>(null)
  const scan = (phone: string) => {
    waiting.current = { phone, qr }
    link.mutate(code === '' ? { phone, qr } : { phone, code })
  }
  // WhatsApp may want another QR: the phone scans the next one too, once the answer to the first one is there. Two scans at once would end the pairing.
  useEffect(() => {
    const { current } = waiting
    if (current === null || current.qr === qr || code !== '' || qr === '') return
    if (link.isPending || link.data === undefined || link.data.status === 'paired') return
    waiting.current = { ...current, qr }
    link.mutate({ phone: current.phone, qr })
  }, [qr, code, link])
  return (
    <>
      {phones.map(({ number, name }) => (
        <Button key={number} isBusy={link.isPending} onClick={() => scan(number)}>
          {code === '' ? demo.scanWith(showUnseen(name)) : demo.typeOn(showUnseen(name))}
        </Button>
      ))}
      {link.error === null ? null : <Failure error={link.error} />}
    </>
  )
}
