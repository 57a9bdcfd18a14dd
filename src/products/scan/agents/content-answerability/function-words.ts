/**
 * Returns the grammatical words of a language with four letters or more. They are frequent in every text, so
 * counting them would report word stuffing everywhere.
 */
export function functionWordsOf(language: string): ReadonlySet<string> | undefined {
  return lists.get(language)
}

const lists: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en:
      'about above after again against already also although always among another anything around away back because ' +
      "been before being below best better between both cannot can't could does doing don't done down during each " +
      'either else enough even ever every everything first from further gets give gives goes have having here hers ' +
      "herself himself into it's itself just keep know less like likely made make makes many more most much must " +
      'myself need needs neither never next none nothing often once only other others ours ourselves over same self ' +
      'several shall should since some something still such sure take takes than that their theirs them themselves ' +
      'then there these they thing things this those through time times together under until upon used uses using ' +
      "very want well we'll we're we've were what whatever when whenever where whether which while whom whose will " +
      "with within without would you'll you're you've your yours yourself",
    de:
      'aber alle allem allen aller alles also andere anderen auch bereits beim dabei dafür damit dann daran darauf ' +
      'darum dass davon dein deine dem denen denn deren derer dessen deshalb dich diese diesem diesen dieser dieses ' +
      'doch dort durch eben eigene eine einem einen einer eines einfach einige euch euer eure etwas ganz gegen geht ' +
      'gibt haben habe hatte hier ihnen ihre ihrem ihren ihrer ihres immer jede jedem jeden jeder jedes jetzt kann ' +
      'kein keine keinen können könnte lassen machen macht mehr mein meine müssen muss nach nicht nichts noch nur ' +
      'oder ohne schon sehr sein seine seinen seit selbst sich sind sofern sollte sollten sondern soweit sowie über ' +
      'unser unsere unserem unseren unserer unter viel viele vielen vom von vor wann warum weil welche welcher wenn ' +
      'werden wird wieder wurde wurden während zum zur zwischen',
    fr:
      'afin ainsi alors après aussi autre autres avant avec avoir beaucoup bien cela celle celles celui cette ceux ' +
      'chaque chez comme comment contre dans depuis dès deux donc elle elles encore entre être eux faire fait faut ' +
      'furent grâce ici jamais jusque leur leurs lors lorsque mais même mêmes moins notre nous ont où parce pas ' +
      'pendant peut peuvent plus plusieurs pour pourquoi pouvez puis quand quel quelle quelles quelque quelques quels ' +
      'quoi sans selon sera seront ses soit sont souvent sous sur tandis tous tout toute toutes très trop une vers ' +
      'voici vont vos votre vous',
    es:
      'además ahora algo algunas alguno algunos antes aquel aquí aunque bajo bien cada como cómo con contra cual ' +
      'cuando cuál cualquier cuáles desde donde dónde durante ella ellas ello ellos entonces entre eran eres esas ese ' +
      'esos esta está están estas este esto estos forma fue fueron hace hacer hacia hasta incluso luego mediante ' +
      'mejor menos mientras mismo misma mucho muchos muy nada nosotros nuestra nuestras nuestro nuestros nunca otra ' +
      'otras otro otros para pero poder porque puede pueden puedes pues quien quién según será sido siempre sino ' +
      'sobre solo sólo también tanto tiene tienen tienes toda todas todo todos tras unas unos usted ustedes vuestra',
    it:
      'abbiamo alcuni alla alle allo altra altre altri altro anche ancora avere bene ciascuno come così cosa dagli ' +
      'dai dalla dalle dallo dal degli dei del della delle dello dentro deve devono dopo dove durante ecco erano essa ' +
      'essere fare fino fino hanno loro meglio meno mentre modo molte molti molto negli nella nelle nello nessun ogni ' +
      'oltre ora perché però più poco poi possono prima propria proprio può qual quale quali quando quanto quella ' +
      'quelle quelli quello questa queste questi questo qui sarà sempre senza sia siamo siete solo sono sopra sotto ' +
      'stata stati stato stessa stesso sulla sulle sullo sugli tanto tra tutta tutte tutti tutto una uno vostra ' +
      'vostre vostri vostro nostra nostre nostri nostro',
    nl:
      'aan alle alleen alles als altijd ander andere anders beide bent bij binnen boven daar daarom dan dat deze ' +
      'dit doen door dus echter een eens elke enkele geen geven goed haar hebben hebt heeft heel hier hoe hun iedere ' +
      'iets jouw jullie kan kunnen kunt maar maken meer meest men met mijn moet moeten naar niet niets nog omdat ' +
      'onder ons onze ook over samen sinds steeds tegen terug tijdens toch tot tussen uit vaak van vanaf veel via ' +
      'voor waar waarom want waren wat weer welke werd wij wil willen word worden wordt zal zelf zich zijn zoals ' +
      'zodat zonder zou zullen',
    pt:
      'agora ainda além algo algum alguma alguns antes após aquele aquela assim até através bem cada como com contra ' +
      'cujo das dela dele depois desde desta deste dessa desse dessas desses disso durante ela elas eles então entre ' +
      'essa essas esse esses esta está estão estas este estes eram fazer foi foram isso isto lhes mais mas melhor ' +
      'menos mesmo mesma muito muitos nada nas nesta neste nessa nesse ninguém nossa nossas nosso nossos nunca onde ' +
      'outra outras outro outros para pela pelas pelo pelos pode podem pois porque porém qual qualquer quais quando ' +
      'quanto quem será seus suas sempre sendo seja sem sobre somente também tanto tem têm toda todas todo todos uma ' +
      'umas uns você vocês',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
)
