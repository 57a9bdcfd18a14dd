/** Whether a button puts something into a cart. Only what is sold has one: a shop whose cart a script fills shows no other. */
export function addsToCart(label: string): boolean {
  return (
    label.length <= 60 &&
    toCart.test(label.replace(/(?:[\p{P}\p{S}\p{Emoji_Presentation}]|\ufe0f)+/gu, ' ').trim())
  )
}

/** In the words of shops, each as the whole label. */
const toCart = new RegExp(
  `^(?:${[
    'add (?:it )?to (?:my |your |the )?(?:cart|basket|bag|trolley)',
    'in den (?:waren|einkaufs)korb(?: legen)?|zum warenkorb hinzufügen',
    'ajouter au panier|mettre au panier',
    'añadir (?:al carrito|a la cesta)|agregar al carrito',
    'aggiungi al (?:carrello|cestino)',
    'adicionar (?:ao carrinho|à sacola|ao cesto)|colocar no carrinho',
    '(?:in|toevoegen aan) (?:het )?(?:winkelwagen|winkelmand)(?:tje)?(?: leggen)?',
    'sepete ekle',
    '(?:добавить )?в корзину|(?:додати )?(?:в|до) кошик[а]?|у кошик',
    '(?:dodaj )?do koszyka|(?:přidat |vložit )?do košíku|(?:pridať )?do košíka|adaugă în coș|kosárba(?: teszem)?',
    'lägg i (?:varukorgen|kundvagnen)|læg i kurv|legg i handlekurv(?:en)?|lisää ostoskoriin',
    'أضف إلى (?:السلة|العربة)|اضف الى السلة|إضافة إلى السلة',
    'カートに(?:入れる|追加(?:する)?)|買い物かごに入れる|かごに入れる',
    '장바구니(?:에)? ?(?:담기|추가)',
    '加入购物车|加入購物車|放入购物车|放入購物車',
    'ใส่ตะกร้า|เพิ่มลง(?:ใน)?ตะกร้า|หยิบใส่ตะกร้า|thêm vào giỏ(?: hàng)?|tambah(?:kan)? ke keranjang',
    'προσθήκη στο καλάθι|הוסף לסל|הוספה לסל|कार्ट में (?:डालें|जोड़ें)|افزودن به سبد(?: خرید)?',
  ].join('|')})$`,
  'iu',
)
