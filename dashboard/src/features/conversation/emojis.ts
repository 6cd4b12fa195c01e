/** The emoji that people use most, by groups, and those that were used in this browser. */

const FACES =
  '😀 😃 😄 😁 😆 😅 🤣 😂 🙂 🙃 😉 😊 😇 🥰 😍 🤩 😘 😗 😚 😋 😛 😜 🤪 😝 🤑 🤗 🤭 🤫 🤔 🤐 😐 😑 😶 😏 😒 🙄 😬 😌 😔 😪 😴 😷 🤒 🤕 🤢 🤮 🤧 🥵 🥶 🥴 😵 🤯 🤠 🥳 😎 🤓 🧐 😕 😟 🙁 😮 😯 😲 😳 🥺 😦 😧 😨 😰 😥 😢 😭 😱 😖 😣 😞 😓 😩 😫 🥱 😤 😡 😠 🤬 😈 💀 💩 🤡 👻 👽 🤖 😺 😻 🙈 🙉 🙊'
const PEOPLE =
  '👋 🤚 🖐️ ✋ 👌 🤏 ✌️ 🤞 🤟 🤘 🤙 👈 👉 👆 👇 ☝️ 👍 👎 ✊ 👊 🤛 🤜 👏 🙌 👐 🤲 🤝 🙏 ✍️ 💪 👀 👶 👦 👧 👨 👩 👴 👵 🙋 🙅 🙆 🤷 🤦 🙇 💁 👮 👷 👩‍⚕️ 👨‍🍳 👩‍💻 🏃 💃 🕺 👪 👫 👭 👬'
const NATURE =
  '🐶 🐱 🐭 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🐔 🐧 🐦 🦉 🦋 🐝 🐞 🐢 🐍 🐙 🐠 🐬 🐳 🦈 🐴 🐑 🐘 🌵 🌲 🌴 🌱 🍀 🍁 🌹 🌻 🌸 🌷 🌼 🌍 🌙 ⭐ 🌟 ☀️ ⛅ ☁️ 🌧️ ⛈️ ❄️ ☃️ 🌈 🔥 💧 🌊'
const FOOD =
  '🍏 🍎 🍐 🍊 🍋 🍌 🍉 🍇 🍓 🍒 🍑 🥭 🍍 🥥 🥝 🍅 🥑 🥦 🌽 🥕 🥔 🍞 🥐 🧀 🥚 🍳 🥓 🍗 🍖 🌭 🍔 🍟 🍕 🥪 🌮 🌯 🥗 🍝 🍜 🍣 🍤 🍚 🍦 🍰 🎂 🍫 🍬 🍩 🍪 ☕ 🍵 🥤 🍺 🍻 🍷 🥂 🍾'
const ACTIVITY =
  '⚽ 🏀 🏈 ⚾ 🎾 🏐 🎱 🏓 🏸 🥊 🥅 ⛳ 🏊 🚴 🏆 🥇 🥈 🥉 🏅 🎖️ 🎟️ 🎭 🎨 🎬 🎤 🎧 🎼 🎹 🥁 🎷 🎺 🎸 🎲 🎯 🎮 🎰 🧩 🎉 🎊 🎈 🎁 🎀 🪅'
const TRAVEL =
  '🚗 🚕 🚌 🚑 🚒 🚚 🚜 🛵 🏍️ 🚲 🚆 🚇 ✈️ 🛫 🛬 🚀 🚁 ⛵ 🚢 ⚓ ⛽ 🚦 🗺️ 🗽 🏖️ 🏝️ 🏔️ ⛺ 🏠 🏡 🏢 🏥 🏦 🏨 🏪 🏫 🏭 ⛪ 🌃 🌅 🌆 🎡 🎢'
const OBJECTS =
  '⌚ 📱 💻 🖥️ 🖨️ 📷 📹 📞 ☎️ 📺 🔋 💡 🔦 💸 💵 💰 💳 🧾 💎 🔧 🔨 🔑 🔒 🔓 🛒 🛍️ 📦 📫 ✉️ 📧 📄 📃 📊 📈 📉 📅 📆 🗓️ 📌 📍 📎 ✂️ 📝 ✏️ 🔍 📚 📖 🏷️ 💊 💉 🩺 🛏️ 🚪 🪑 🧼 🧹 👓 👕 👗 👟 👜 🎒 💍 ⏰ ⏳'
const SYMBOLS =
  '❤️ 🧡 💛 💚 💙 💜 🖤 🤍 🤎 💔 💕 💖 💘 💯 💢 💥 💫 💤 ✅ ☑️ ✔️ ❌ ❎ ➕ ➖ ❓ ❗ ⚠️ 🚫 ⛔ 🔴 🟠 🟡 🟢 🔵 🟣 ⚫ ⚪ ⬆️ ⬇️ ⬅️ ➡️ 🔄 🔝 🆗 🆕 🆓 ℹ️ ♻️ ™️ ©️ 🏁 🚩 🏳️ 🇧🇷 🇵🇹 🇪🇸 🇲🇽 🇦🇷 🇨🇴 🇨🇱 🇵🇪 🇺🇸 🇬🇧'

export const emojiGroups = {
  faces: FACES.split(' '),
  people: PEOPLE.split(' '),
  nature: NATURE.split(' '),
  food: FOOD.split(' '),
  activity: ACTIVITY.split(' '),
  travel: TRAVEL.split(' '),
  objects: OBJECTS.split(' '),
  symbols: SYMBOLS.split(' '),
} as const

export type EmojiGroup = keyof typeof emojiGroups

const KEY = 'posthorn.emoji'
const RECENT_MAX = 32

export function readRecent(): readonly string[] {
  try {
    const known = new Set(Object.values(emojiGroups).flat())
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => known.has(one)).slice(0, RECENT_MAX) : []
  } catch {
    return []
  }
}

export function rememberEmoji(emoji: string): void {
  try {
    const others = readRecent().filter((one) => one !== emoji)
    localStorage.setItem(KEY, JSON.stringify([emoji, ...others].slice(0, RECENT_MAX)))
  } catch {
    // A browser that keeps nothing has no list of them.
  }
}
