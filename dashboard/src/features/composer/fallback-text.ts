import { type ButtonDraft, type Draft, isMenu } from './draft.js'

/** Returns a menu as the text that the gateway sends where the network refuses it; empty for other kinds. Answers have numbers. */
export function makeFallbackText(draft: Draft): string {
  if (!isMenu(draft.kind)) return ''
  let number = 0
  const line = (text: string): string => {
    number += 1
    return `${number}. ${text}`
  }
  const lines = (buttons: readonly ButtonDraft[]) => buttons.map((button) => line(describeButton(button)))
  const blocks = {
    button: () => [lines(draft.buttons)],
    list: () =>
      draft.sections.map(({ title, rows }) => [
        ...(title.trim() === '' ? [] : [`*${title.trim()}*`]),
        ...rows.map(({ text, description }) =>
          line(description.trim() === '' ? text.trim() : `${text.trim()}: ${description.trim()}`),
        ),
      ]),
    poll: () => [draft.options.map(({ text }) => line(text.trim()))],
    carousel: () => draft.cards.map(({ text, buttons }) => [text.trim(), ...lines(buttons)]),
  }[draft.kind]()
  const hasFooter = (draft.kind === 'button' || draft.kind === 'list') && draft.footer.trim() !== ''
  const parts = [
    draft.text.trim(),
    ...blocks.map((block) => block.join('\n')),
    ...(hasFooter ? [`_${draft.footer.trim()}_`] : []),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function describeButton({ text, does, value }: ButtonDraft): string {
  const label = text.trim()
  if (does === 'reply') return label
  return `${label}: ${does === 'call' ? value.replace(/[\s().-]/g, '') : value.trim()}`
}
