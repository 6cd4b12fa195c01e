import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { KeyList } from '../features/keys/key-list.js'
import { NewKey } from '../features/keys/new-key.js'
import { PassList } from '../features/keys/pass-list.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useWords } from '../words/index.js'
import { useKeysWords } from '../words/keys/index.js'

/** Keys of an instance, and the passes of those who are signed in to it. */
export function Keys() {
  const words = useWords()
  const own = useKeysWords()
  if (!mayConnect()) return <Notice>{own.needsToken}</Notice>
  return (
    <>
      <PageHeader title={words.pages.keys} about={own.help} />
      <KeyList />
      <NewKey />
      <PassList />
    </>
  )
}
