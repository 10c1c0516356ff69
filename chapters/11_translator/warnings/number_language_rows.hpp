#pragma once
/// \file
/// The words of number_languages.hpp.

namespace gradus {

/// A NumberLanguage as text: words with spaces between them.
struct NumberLanguageRow {
  const char *code, *small, *articles, *large, *half, *frequent;
};

/// Small numbers are separated by bars. A star stands for any letters, a plus for one or more, an exclamation mark for
/// needs_language(). Where a star would fit frequent other words of its language, the forms are written out: Dutch "acht*" would be
/// "achter" too.
constexpr NumberLanguageRow number_language_rows[] = {
    {"en",
     "zero no none nobody nothing|one single first once january|two both second pair pairs couple twice twin* "
     "double february|three third thirds triple trio thrice march|four fourth quarter quarters april|five fifth "
     "fifths !may|six sixth sixths june|seven seventh july|eight eighth august|nine ninth september|ten tenth "
     "tenths october|eleven eleventh november|twelve twelfth dozen dozens december",
     "a an",
     "thirteen* fourteen* fifteen* sixteen* seventeen* eighteen* nineteen* twent* thirty thirt* forty fort* "
     "fifty fifties fiftieth sixty sixties sixtieth seventy seventies seventieth eighty eighties eightieth "
     "ninety nineties ninetieth hundred* thousand* million* billion* dozen*",
     "half halves", "the and of is are with his her who to at for from by an"},
    {"de",
     "null kein* niemand* nichts|eins erst* einzig* einmal januar jänner|zwei* beide* zweit* paar* doppel* zwo* "
     "zwilling* februar|drei* dritt* märz maerz|vier* april|fünf* fuenf* mai|sechs* juni|sieben* siebt* "
     "juli|acht* august|neun* september|zehn* oktober|elf elft* elfj* elfk* elfm* november|zwölf* zwoelf* "
     "dutzend* dezember",
     "ein eine einem einen einer eines",
     "+zehn* siebzehn* *zwanzig* *dreißig* *dreissig* *vierzig* *fünfzig* *fuenfzig* *sechzig* *siebzig* "
     "*achtzig* *neunzig* *hundert* *tausend* *million* *milliard* *dutzend*",
     "halb* hälft* haelft* anderthalb* *einhalb*",
     "der die das und ist ein eine einem einen mit auf dem den im von"},
    {"fr",
     "zéro aucun* nul nulle personne rien|premier première premiers premières seul seule janvier|deux deuxième* "
     "second* "
     "couple couples paire double* jumeaux jumelles février|trois troisième* tiers triple trio mars|quatre "
     "quatrième* quart quarts avril|cinq cinquième* mai|six sixième* juin|sept septième* juillet|huit huitième* "
     "août|neuf neuvième* septembre|dix dixième* dizaine octobre|onze onzième* novembre|douze douzième* "
     "douzaine* décembre",
     "un une",
     "treize* quatorze* quinz* seiz* dix *vingt* trent* quarant* cinquant* soixant* septant* octant* nonant* "
     "cent cents centaine* centième* mille milliers millième* million* milliard* douzaine* dizaine*",
     "demi* moitié", "le la les des une dans et est avec sur qui du au"},
    {"es",
     "cero ningún ningun* nadie nada|uno una primer primero primera primeros primeras único única solo sola "
     "enero|dos segundo segunda ambos ambas par pares pareja doble* gemel* febrero|tres tercer tercero tercera "
     "tercio* triple trío marzo|cuatro cuarto cuarta cuartos abril|cinco quinto quinta mayo|seis sexto sexta "
     "junio|siete séptim* julio|ocho octavo octava agosto|nueve noveno novena septiembre setiembre|diez décim* "
     "octubre|once undécim* noviembre|doce duodécim* docena* diciembre",
     "un una",
     "trece catorce quince dieci* veint* treint* cuarent* cincuent* sesent* setent* ochent* novent* cien ciento "
     "cientos *cientos *cientas mil !miles millón millones docena* decena* centenar*",
     "medio media medios medias mitad", "el los las una con en del por su al se está entre"},
    {"it",
     "zero nessun* niente nulla|uno prima primo prime primi solo sola gennaio|due secondo seconda entrambi "
     "entrambe coppia coppie paio paia doppi* ambedue gemell* febbraio|tre terzo terza terzi trio marzo|quattro "
     "quarto quarta quarti aprile|cinque quinto quinta maggio|sei sesto sesta giugno|sette settimo settima "
     "luglio|otto ottavo ottava agosto|nove nono nona settembre|dieci decimo decima ottobre|undici undicesim* "
     "novembre|dodici dodicesim* dozzin* dicembre",
     "un una uno",
     "tredic* quattordic* quindic* sedic* diciasset* diciott* diciannov* vent* trent* quarant* cinquant* "
     "sessant* settant* ottant* novant* *cento centinai* mille *mila migliai* milion* miliard* dozzin* decin*",
     "mezz* metà", "il la di che una con nel alla della sul dei sono al"},
    {"pt",
     "zero nenhum nenhuma ninguém nada|primeir* único única só janeiro|dois duas segund* ambos ambas par pares "
     "dupla dobro casal gêmeos fevereiro|três terceir* terço* triplo trio março|quatro quarto quarta quartos "
     "abril|cinco quinto quinta maio|seis sexto sexta junho|sete sétim* julho|oito oitav* agosto|nove nono nona "
     "setembro|dez décim* outubro|onze novembro|doze dúzia* dezembro",
     "!um uma",
     "treze catorze quatorze quinz* dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove vint* "
     "trint* quarent* cinquent* sessent* setent* oitent* novent* cem cento centos *centos *centas *zentos *zentas "
     "mil milhar* "
     "milhão milhões bilh* dúzia* dezena* centena*",
     "meio meia metade", "um uma com em no na do da dos das os as ao"},
    {"nl",
     "nul geen niemand niets|één eerst* eenmaal enige januari|twee* beide* paar dubbel* februari|drie* derde "
     "maart|vier vierde vierjarig* viertal vieren kwart april|vijf* mei|zes* juni|zeven* juli|acht achtste "
     "achtjarig* achttal augustus|negen* september|tien tiende tienjarig* tiental oktober|elf elfde elfjarig* "
     "november|twaalf* dozijn december",
     "een",
     "dertien* veertien* vijftien* zestien* zeventien* achttien* negentien* *twintig* *dertig* *veertig* "
     "*vijftig* *zestig* *zeventig* *tachtig* *negentig* *honderd* *duizend* miljoen* miljard* dozijn* tiental*",
     "half halve helft *enhalf *ënhalf anderhal*", "de het een en van met op zijn naar aan voor niet uit door"},
    {"sv",
     "noll ingen inget inga|första enda ena januari|två* andra båda bägge par dubbel* tvilling* februari|tre "
     "tredje treårig* treåring* mars|fyra fjärde fyrårig* fyraår* kvart april|fem femte femår* !maj|!sex sjätte "
     "sexår* juni|sju sjunde sjuår* juli|åtta åttonde åttaår* augusti|nio nionde nioår* september|tio tionde "
     "tioår* oktober|elva elfte elvaår* november|tolv tolfte tolvår* dussin* december",
     "!en ett",
     "tretton* fjorton* femton* sexton* sjutton* arton* nitton* tjug* trettio* fyrtio* femtio* sextio* sjuttio* "
     "åttio* nittio* *hundra* *tusen* miljon* miljard* dussin*",
     "halv halva hälft* halvannan *enhalv", "och ett är från för några genom medan vid på som"},
    {"da",
     "nul !ingen intet|én !et første eneste januar|!to anden andet begge par dobbelt* tvilling* februar|tre "
     "tredje treår* marts|!fire fjerde fireår* kvart april|fem femte femår* maj|seks sjette seksår* juni|syv "
     "syvende syvår* juli|otte ottende otteår* august|!ni niende niår* september|!ti tiende tiår* "
     "oktober|elleve* ellevte november|tolv* dusin* december",
     "!en !et",
     "tretten* fjorten* femten* seksten* sytten* atten* nitten* *tyve* tredive* *tredive* *fyrre* halvtreds* "
     "*halvtreds* tres *ogtres tresind* *firs* *halvfjerds* *halvfems* *hundred* *tusind* million* milliard* "
     "dusin*",
     "halv halve halvdel* halvanden", "af ud op nogle mod noget efter uden gennem foran ved bag"},
    {"nb",
     "!null ingen intet|én første eneste januar|!to andre annen annet begge par dobbelt* tvilling* februar|tre "
     "tredje treår* mars|!fire fjerde fireår* kvart april|fem femte femår* mai|seks sjette seksår* juni|sju syv "
     "sjuende syvende sjuår* juli|åtte åttende åtteår* august|!ni niende niår* september|!ti tiende tiår* "
     "oktober|elleve* ellevte november|tolv* dusin* desember",
     "!en !et ett !ei",
     "tretten* fjorten* femten* seksten* sytten* atten* nitten* *tjue* *tyve* *tretti* *tredve* *førti* *femti* "
     "*seksti* *sytti* *åtti* *nitti* *hundre* *tusen* million* milliard* dusin*",
     "halv halvt halve halvpart* halvannen", "av ut opp noen mot noe etter uten gjennom foran ved bak"},
    {"fi",
     "nolla nollaa kukaan mitään yhtään|yksi yhden yhtä yhdellä yhdestä ensimmäi* ainoa* tammikuu*|kaksi kahden "
     "kahta kahdella kahdesta kaksois* toinen toise* molem* pari paria kumpikin helmikuu*|kolme* kolmas "
     "kolmann* maaliskuu*|neljä* huhtikuu*|viisi viiden viittä viidellä viides viidennen viisivuoti* viisihenk* "
     "toukokuu*|kuusi kuuden kuutta kuudella kuudes kuudennen kuusivuoti* kesäkuu*|seitsem* seitsen* "
     "heinäkuu*|kahdeks* elokuu*|yhdeks* syyskuu*|kymmenen kymmenes kymmentä kymmenvuoti* kymmenellä "
     "lokakuu*|yksitoista yhdentoista yhtätoista marraskuu*|kaksitoista kahdentoista kahtatoista tusina* "
     "joulukuu*",
     "", "+toista* *kymment* sata *sataa sadan satoja tuhat tuhan* *tuhatta miljoon* miljard* tusina*", "puol*",
     "ja on joka ovat kanssa että hän mutta kun sekä jossa"},
    {"pl",
     "zero żad* nikt nic brak|jeden jedna jedno jednego jednej jedną jednym pierwsz* jedyn* stycze* styczn*|dwa "
     "dwie dwaj dwóch dwoje dwojga dwiema dwoma dwom dwu dwulet* dwuosob* drug* oba obie obaj obu para parę "
     "pary podwójn* luty lutego|trzy trzech trzej trzem trzema troje trojga trzylet* trzyosob* trzeci* marzec "
     "marca|cztery czterech czterej czterem czworo czwart* ćwierć* czterolet* kwiecień kwietnia|pięć pięciu "
     "pięcioro pięciolet* pięcioosob* piąt* maj maja|sześć sześciu sześcioro sześciolet* szóst* czerwiec "
     "czerwca|siedem siedmiu siedmioro siedmiolet* siódm* lipiec lipca|osiem ośmiu ośmioro ośmiolet* ósm* "
     "sierpień sierpnia|dziewięć dziewięciu dziewięciolet* dziewiąt* wrzesień września|dziesięć dziesięciu "
     "dziesięciolet* dziesiąt* październik*|jedenaście jedenastu jedenast* listopad*|dwanaście dwunastu "
     "dwunast* tuzin* grudzień grudnia",
     "",
     "+naście +nastu +nast* +dzieści* +dziestu +dziest* +dziesiąt* +dziesięciu sto stu dwieście dwustu trzysta "
     "czterysta pięćset *set setk* setek tysiąc* tysięc* milion* miliard* tuzin* dziesiątk*",
     "pół* połow*", "na się jest do nie przez przed są który jego po od"},
    {"cs",
     "nula nul žádn* nikdo nic|jeden jedna jedno jednoho jedné jednu jedním jednom prvn* jedin* leden ledna|dva "
     "dvě dvou dvěma dvěm dvoje dvojic* dvojit* dvojčat* dvoulet* druhý druhá druhé druhého druhou druhým oba "
     "obě obou oběma pár páru dvakrát únor*|tři tří třem třemi třech třetí* třetin* tříle* trojic* trojit* "
     "třikrát březen března|čtyři čtyř čtyřem čtyřmi čtyřech čtyřle* čtvrtý čtvrtá čtvrté čtvrtého čtvrtin* "
     "čtvrt duben dubna|pět pěti pětile* pátý pátá páté pátého pětic* květen května|šest šesti šestile* šestý "
     "šestá šesté červen června|sedm sedmi sedmile* sedmý sedmá sedmé červenec července|osm osmi osmile* osmý "
     "osmá osmé srpen srpna|devět devíti devítile* devátý devátá deváté září|deset deseti desetile* desátý "
     "desátá desáté říjen října|jedenáct* listopad*|dvanáct* tucet tuctu prosinec prosince",
     "",
     "+náct* +cet +ceti +cátý +cáté *padesát* *šedesát* *desát sto sta stě stovk* *stě třista čtyřista *set "
     "tisíc* milion* miliard* desítk* tucet tuctu",
     "půl* polovin*", "na se že je do který jsou ve před při po jeho"},
    {"hu",
     "nulla nincs* senki semmi|egyik első egyetlen egyszer január*|két kettő kettes kétéves kétszer kétfős "
     "második mindkét mindkettő pár dupla iker* február*|három* hárm* harmad* március*|négy* negyed* "
     "április*|öt ötödik ötéves ötször ötfős május*|!hat hatodik hatéves hatszor hatfős június*|hét hetedik "
     "hétéves július*|nyolc* augusztus*|kilenc* szeptember*|tíz tizedik tízéves október*|tizenegy* "
     "november*|tizenkét* tizenkettő* tucat* december*",
     "egy",
     "tizen* húsz* huszon* huszad* harminc* negyven* ötven* hatvan* hetven* nyolcvan* kilencven* *száz* *ezer* "
     "millió* milliárd* tucat*",
     "fél felet fele félig másfél", "az egy és van hogy nem meg ez vagy mellett ül"},
    {"ro",
     "zero niciun nicio nimeni nimic|unu una unul prim* singur* ianuarie|doi două doua doilea ambii ambele "
     "pereche dublu* gemeni februarie|trei treilea treia treime martie|patru patrulea patra sfert* "
     "aprilie|cinci cincilea cincea mai|șase şase șaselea șasea iunie|șapte şapte șaptelea șaptea iulie|opt "
     "optulea opta august|nouă noulea noua septembrie|zece zecelea zecea octombrie|unsprezece* "
     "noiembrie|doisprezece* douăsprezece* duzin* decembrie",
     "un o", "+sprezece* *zeci sută sute mie mii milion* miliard* duzin*", "jumătate jumate",
     "și în cu pe la un care este din sunt lui"},
    {"ru",
     "ноль нуль нуля нет никто никого ничего|один одна одно одного одной одну одним одному одном перв* "
     "единственн* январ*|два две двух двум двумя двое двоих втор* оба обе обоих обеих пара пары пару двойн* "
     "двухлет* дважды близнец* феврал*|три трех трем тремя трое троих трет* тройн* тройк* трехлет* март марта "
     "марте|четыре четырех четырем четырьмя четверо четверых четверт* четырехлет* апрел*|пять пяти пятью пятеро "
     "пятерых пятый пятая пятое пятого пятой пятилет* май мая мае|шесть шести шестью шестеро шестой шестая "
     "шестое шестого шестилет* июнь июня июне|семь семи семью семеро седьм* семилет* июль июля июле|восемь "
     "восьми восемью восьмеро восьмой восьмая восьмое восьмого восьмилет* август*|девять девяти девятью девятый "
     "девятая девятое девятого девятой девятилет* сентябр*|десять десяти десятью десяток десятый десятая "
     "десятое десятого десятой десятилет* октябр*|одиннадцат* ноябр*|двенадцат* дюжин* декабр*",
     "",
     "+надцат* +дцать +дцати +дцат* сорок сорока +десят* девяност* сто ста двести двухсот триста трехсот "
     "четыреста четырехсот +сот тысяч* миллион* миллиард* сотн* сотен десятк* дюжин*",
     "половин* пол полтор* получас* полчаса", "что она это они или на как не его для при под"},
    {"uk",
     "нуль нуля немає ніхто нікого нічого жодн*|один одна одне одного одній одну одним перш* єдин* січень "
     "січня|два дві двох двом двома двоє друг* обидва обидві обох пара пари пару двічі подвійн* дворічн* "
     "близнюк* лютий лютого|три трьох трьом трьома троє трет* трирічн* березень березня|чотири чотирьох "
     "чотирьом чотирма четверо четверт* чотирирічн* чверт* квітень квітня|пять пяти пятьох пятеро пятий пята "
     "пяте пятого пятирічн* травень травня|шість шести шістьох шестеро шост* шестирічн* червень червня|сім семи "
     "сімох семеро сьом* семирічн* липень липня|вісім восьми вісьмох восьмеро восьм* восьмирічн* серпень "
     "серпня|девять девяти девятьох девятий девята девяте девятого девятирічн* вересень вересня|десять десяти "
     "десятьох десятеро десятий десята десяте десятого десятирічн* жовтень жовтня|одинадцят* "
     "листопад*|дванадцят* дюжин* грудень грудня",
     "",
     "+надцят* +дцять +дцяти +дцят* сорок сорока +десят* девяност* сто ста двісті триста чотириста +сот тисяч* "
     "мільйон* мільярд* сотн* сотень десятк* дюжин*",
     "половин* пів* півтор*", "що він вона вони або на як не його для під від та"},
    {"tr",
     "sifir hiç hiçbir yok|biri birinci ilk tek ocak*|iki ikinci ikisi ikiz* ikili çift çifti şubat*|üç üçüncü "
     "üçü üçlü üçüz* mart*|dört* dörd* çeyrek nisan*|beş beşinci beşi beşli mayis*|alti altinci altisi "
     "haziran*|yedi yedinci yedisi temmuz*|sekiz* ağustos*|dokuz* eylül*|!on onuncu ekim*|!on onbir* kasim*|!on "
     "oniki* düzine* aralik*",
     "bir",
     "!on yirmi* otuz* kirk* elli* altmiş* yetmiş* seksen* doksan* yüz bin bini binlerce milyon* milyar* "
     "onlarca yüzlerce düzine*",
     "yarim* buçuk* yari yarisi", "bir ve bu için ile olan çok daha kadar gibi"},
};

}  // namespace gradus
