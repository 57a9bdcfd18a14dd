/**
 * What sites call themselves for which the list has no industry, as in `industry-words.ts`. Without these words a restaurant
 * would be sorted by some other word on its page.
 */

/** Trades of `other`: who calls himself so sells something. */
export const tradeWords: string =
  // Food and lodging.
  'restaurant|restaurants|pizza|pizzeria|café|cafe|coffee shop|coffee roaster|bakery|bistro|brasserie|bar|pub|brewery|winery|catering|kitchen|menu|hotel|hotels|hostel|resort|guest house|guesthouse|bed and breakfast|b b|holiday home|holiday apartment|campground|suites|rooms|ristorante|trattoria|osteria|' +
  'gasthaus|gasthof|gaststätte|bäckerei|konditorei|ferienwohnung*|pension|brauerei|boulangerie|pâtisserie|traiteur|gîte|chambres d hôtes|chambre d hôtes|camping|hôtel|restaurante|panadería|pastelería|cafetería|hostal|albergue|affittacamere|agriturismo|pasticceria|panificio|albergo|' +
  'padaria|pastelaria|confeitaria|pousada|bakkerij|restoran*|otel|oteli|pastane|kafe|ресторан*|кафе|гостиниц*|отел*|пекарн*|кондитерск*|مطعم|مقهى|فندق|مخبز|حلويات|レストラン|カフェ|居酒屋|ホテル|旅館|ベーカリー|食堂|ラーメン|레스토랑|식당|카페|호텔|펜션|베이커리|餐厅|餐廳|咖啡|酒店|民宿|飯店|烘焙|' +
  // Trades and services for the home.
  'construction|contractor|concrete|plumber|plumbing|electrician|roofing|roofer|hvac|landscaping|gardener|gardening|carpenter|carpentry|painter|cleaning|car wash|dry cleaning|laundry|moving company|locksmith|windows and doors|glazing|car repair|auto repair|mechanic|garage|logistics|freight|transport|appliance repair|repair service|barber|barbershop|hairdresser|hair salon|beauty salon|nail salon|spa|tattoo|' +
  'bauunternehmen|handwerk*|schreinerei|tischlerei|elektriker|klempner|sanitär*|dachdecker*|maler*|gartenbau|reinigung*|umzug*|schlüsseldienst|autowerkstatt|kfz*|spedition|friseur*|kosmetik*|kosmetikstudio|barbier|plombier|plomberie|électricien|menuis*|maçon*|paysagiste|jardin*|nettoyage|lavage auto|lavage|déménagement|serrurier|coiffeur|coiffure|institut de beauté|' +
  'fontaner*|electricista|carpinter*|jardiner*|limpieza|mudanzas|cerrajero|peluquer*|taller|construcción|construcciones|idraulico|elettricista|falegname*|giardini|giardinier*|giardinaggio|pulizie|traslochi|parrucchier*|edile|impresa edile|autofficina|encanador|eletricista|jardinagem|limpeza|mudanças|cabeleireiro|construtora|loodgieter|elektricien|timmerman|hovenier|schoonmaak|verhuis*|kapper*|aannemer|' +
  'inşaat|tesisat*|elektrikçi|temizlik|nakliyat|lojistik|teknik servis|servisi|kuaför|berber|oto|сантехник*|электрик*|строительств*|ремонт*|окна|остеклен*|химчистк*|клининг*|грузоперевозк*|парикмахер*|салон красоты|автосервис|مقاولات|سباكة|كهربائي|تنظيف|نقل|صيانة|حلاق|工務店|建設|リフォーム|清掃|引越|美容室|美容院|整備|塗装|水道|건설|인테리어|청소|이사|미용실|정비|装修|裝修|建筑工程|家政|搬家|美发|美髮|维修|維修|物流|' +
  // Crafts.
  'pottery|potter|potters|ceramics studio|ceramic studio|ceramic art|ceramicist|ceramics|töpferei*|keramikwerkstatt|keramikatelier|poterie|céramiste|céramiques|alfarería|alfarer*|ceramista|ceramiche artistiche|pottenbakker*|keramiekatelier|гончарн*|陶芸|陶器|도예|陶艺|' +
  // Clothes made, altered and chosen for people.
  'tailor|tailors|tailoring|seamstress|dressmaker|dressmaking|clothing alterations|bridal alterations|fashion stylist|personal stylist|wardrobe stylist|wardrobe styling|personal styling|image consultant|personal shopper|schneiderei|änderungsschneiderei|*schneiderei|maßschneider*|schneidermeister*|stilberat*|farb und stilberatung|couturière|couture sur mesure|tailleur sur mesure|conseil en image|conseillère en image|sastre|sastrería|modista|asesoría de imagen|asesora de imagen|estilista personal|sartoria|sarto|consulente di immagine|consulente d immagine|stilista personale|alfaiate|alfaiataria|costureira|consultoria de imagem|kleermaker*|kledingreparatie|kledingatelier|stijladvies|terzi|stil danışman*|ателье|швея|стилист*|имидж консультант|خياط|خياطة|テーラー|仕立て|お直し|スタイリスト|양복점|수선|스타일리스트|裁缝|裁縫|西服定制|西服訂製|形象设计|形象設計|' +
  // Photographers who take orders; a gallery of own pictures is none.
  'wedding photographer|wedding photographers|wedding photography|portrait photographer|portrait photographers|portrait photography|family photographer|family photography|commercial photographer|corporate photography|photography studio|photo studio|hochzeitsfotograf*|familienfotograf*|fotostudio|photographe de mariage|photographe mariage|studio photo|fotógrafo de bodas|fotografía de bodas|fotografo matrimonio|fotografo matrimoni|fotografo di matrimonio|fotografia matrimoniale|fotógrafo de casamento|fotografia de casamento|bruidsfotograaf|trouwfotograaf|bruiloftsfotograaf|düğün fotoğrafçısı|fotoğraf stüdyosu|свадебный фотограф|фотостудия|مصور أفراح|写真館|フォトスタジオ|사진관|웨딩 스냅|照相馆|照相館|婚纱摄影|婚紗攝影|婚礼摄影|婚禮攝影'

export const societyWords: string =
  // Associations, culture, sport, media, persons.
  'nonprofit|non profit|charity|foundation|church|mosque|parish|temple|synagogue|orphan*|volunteer|volunteers|food bank|festival|museum|gallery|theatre|theater|orchestra|choir|band|musician|artist|photographer|photography|wedding|conference|meetup|community|club|sports club|football club|gym|fitness|yoga|personal training|recipes|blog|magazine|newspaper|news|podcast|portfolio|personal website|city of|municipality|government|political party|association|union|travel guide|tour operator|' +
  'verein|stiftung|gemeinde|kirche|moschee|museum|theater|festival|fotograf*|rezepte|musiker|ehrenamt*|stadt|partei|*verein|fitnessstudio|association|fondation|église|mosquée|musée|théâtre|photographe|mairie|syndicat|recettes|fundación|ong|iglesia|asociación|fotógraf*|ayuntamiento|recetas|associazione|fondazione|chiesa|museo|teatro|fotografo|comune di|ricette|volontariato|festival|' +
  'associação|fundação|igreja|fotógrafo|prefeitura|*vereniging|vereniging|stichting|kerk|gemeente|fotograaf|dernek|derneği|vakıf|vakfı|cami|belediye*|фонд|церковь|храм|музей|театр|фестивал*|фотограф*|ассоциаци*|جمعية|مسجد|كنيسة|متحف|مؤسسة خيرية|مدونة|協会|財団|神社|寺|教会|美術館|博物館|写真|ブログ|교회|재단|협회|박물관|사진|블로그|协会|協會|基金会|基金會|教会|教會|博物馆|博物館|摄影|攝影|博客|部落格'

/** Words of `other` that sites of every trade use for a part of themselves. One of them alone says nothing. */
export const everydayWords =
  'gallery|galerie|galería|galleria|galeri|recipes|recetas|recettes|rezepte|ricette|menu|rooms|suites|bar|kitchen|community|news|blog|magazine|portfolio|podcast|band|club|union|garage|transport|museum|conference|festival|wedding|association|blog|블로그|ブログ|博客|部落格|مدونة'
