import { fileNameOf } from '../../addresses.ts'
import { attributeOf } from '../elements.ts'
import type { Element } from '../visible-text.ts'

/** Whether the alternative text of a picture tells what it shows. */
export function saysSomething(picture: Element): boolean {
  return isAlternative(attributeOf(picture, 'alt')) && !isNameOfFile(picture)
}

/** Whether a picture calls itself a logo, by its file, its alternative text, its class or its id. */
export function isLogoPicture(picture: Element): boolean {
  return ['src', 'alt', 'class', 'id'].some((name) => /logo/i.test(attributeOf(picture, name).slice(0, 300)))
}

/** Programs insert the name of the file, and templates "image", when the author wrote no alternative text. */
function isAlternative(alt: string): boolean {
  return (
    /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(alt) &&
    !/^[\w% .-]{1,80}\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(alt) &&
    !saysNothing.test(alt)
  )
}

/** "hNBvasls_400x400" of `/img/hNBvasls_400x400.jpg`: no words, and the same as the file is called. */
function isNameOfFile(node: Element): boolean {
  const alt = attributeOf(node, 'alt')
  if (!/^(?=.*[\d_])[\w-]{4,80}$/.test(alt)) return false
  const file = fileNameOf(`https://x/${attributeOf(node, 'src').slice(0, 500)}`)
  return file.replace(/\.\w{2,5}$/, '').toLowerCase() === alt.toLowerCase()
}

const saysNothing =
  /^(?:(?:the |an? )?(?:image|img|picture|pic|photo|foto|bild|imagen|immagine|imagem|afbeelding|resim|görsel|картинка|изображение|фото|صورة|画像|写真|图片|圖片|이미지|사진|zdj[eę]cie|obraz(?:ek)?)|card image cap|(?:first|second|third|fourth|next|previous) slide|slide|highslide js|lightbox|(?:image |picture )?not found|no image|image (?:description|alt|here)|placeholder(?: image)?|stock(?: ?(?:photo|image|picture|foto))?|alt(?: ?text)?|alternative text|mobirise(?: website builder)?|logo de la empresa|your (?:logo|image)(?: here)?|(?:hero|about|cta|service|section|main|page|blog|slider?|gallery|feature) (?:banner|image|img|icon|thumbnail|background|bg)|this is an image title)(?:[\s_-]?\d{1,3})?$/iu
