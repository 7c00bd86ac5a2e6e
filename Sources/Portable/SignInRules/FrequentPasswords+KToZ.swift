extension FrequentPasswords {
  static let kToZ = #"""
    ka_djkhjsy6 kaitlyn1 kakashka kamasutra kamikadze kamikaze kangaroo karolina katarina katelyn1
    katerina kathleen kathleen1 kathmandu kathryn1 katrina1 kayla123 kayleigh kazanova kazantip
    kcchiefs kcj9wx5n kendall1 kennedy1 kenneth1 kentucky kentucky1 kenworth kevin123 keystone
    kfcnjxrf kickass1 kickflip kicksass kifj9n7bfu kikeunyw kikimora killbill killzone kingdom1
    kingfish kingsley kingston kissmyas kissmyass kissmyass1 kittycat kittycat1 kittykat kittykat1
    kjrjvjnbd kleopatra klondike knickerless knickers knockers knuckles komputer konstantin koolaid1
    kordell1 koroleva krasotka kristen1 kristin1 kristina kristina1 kristine krokodil krystal1
    l58jkdjp! labrador lacrimosa ladybird ladygaga laetitia lagwagon lakeside lakewood lalakers
    lalala123 lambchop lancaste lancelot landrove lapochka laracroft laserjet lasttime laurence
    lavalamp lavender lawrence lawrence1 layouts1 lebowski leedsutd left4dead lemmings lemonade
    lenochka leonardo leonardo1 leonidas lesbian1 lesbians letmeinn letmesee letsdoit letsfuck
    letsplay lfitymrf libertad lifehack lifeisgood lifesucks lighthou lighthouse lightnin lillian1
    lilmama1 lilwayne lilwayne1 limewire lincoln1 lindsay1 lindsey1 lineage2 lionhear lionheart
    lionking littlema littleman littleman1 livelife liverpoo livewire lizottes ljxtymrf lockdown
    lockerroom logitech logitech1 loglatin lokomotiv lol12345 lolipop1 lollipop lollipop1 lollypop
    lollypop1 lonesome lonestar lonewolf longdong longhair longhorn longhorns longhorns1 longjohn
    longshot loredana lorenzo1 lorraine losangel lotus123 louloute love12345 love123456 love4ever
    love4life lovebug1 lovehate lovehurts lovehurts1 loveislife loveless lovelife lovelife1 loverboy
    loverboy1 lovergirl lovergirl1 loverman lovestory lovesucks lovesucks1 lovingyou lowrider
    lowrider1 lucas123 luckydog ludacris lunchbox luscious luv2epus m123456789 macaroni macdaddy
    macgyver machoman macintos mackenzi mackenzie mackenzie1 madagascar madagaskar madala11 maddison
    madeleine madeline madeline1 madison1 madison2 magdalena magellan magicman magnolia mahalkita
    mailcreated5240 majestic makaveli makayla1 makeitso makemoney maksimka malaysia mallorca
    mallrats mama1234 mamacita mamapapa mammamia mamochka manchest mandarin mandingo mandolin
    mandrake manhatta mannheim maprchem56458 marajade marathon marauder marcello marcius2 margaret
    margaret1 margarit margarita margarita1 marianna marianne marie123 marijuan marijuana marijuana1
    marilyn1 mariners marino13 mariposa mariposa1 marishka marissa1 marjorie marketin marketing
    marlboro marlboro1 married1 marseill marshall marshall1 martinez martinez1 maryjane maryjane1
    masamune maserati mash4077 masterbaiting masterbate masterbating mastermi mastermind
    masturbation matchbox matematica mathilde matthias maurice1 mauricio maurizio maurolarastefy
    maverick maverick1 maximilian maximus1 maxpayne maxpower mazafaka mazdarx7 mckenzie meandyou
    meatball meathead meatloaf mechanic mechanical medicine megadeth megaman1 megan123 megaparol
    megaparol12345 megapass megasecret megatron melanie1 memphis1 mephisto meredith meridian
    mersedes messenger metallic mexican1 michaela micheal1 michele1 michigan michigan1 microlab
    microphone microsof mike1234 milagros milamber mileycyrus milhouse milkshake milkyway millenium
    millwall minimoni minnesot miranda1 mischief misfit99 misiaczek mission1 mississi mississippi
    missy123 mistress mitchell mitchell1 mittens1 mobydick modelsne mohammad mojojojo molly123
    mollydog momsanaladventure monalisa monamour moneymaker moneyman moneyman1 mongoose monique1
    monkeybo monkeyboy monkeyma monkeyman monkeys1 monolith monopoly montana1 montecar montecarlo
    monterey montgom240 montgom2409 montreal montrose moonligh moonshin moonshine morning21 morozova
    morrison morrowind mortgage morticia mortimer motherfu motherlode motocros motocross motorcyc
    mrf11277215 ms0083jxj mudvayne muffdive multiplelo multiplelog munchkin mushroom musicman
    mustangs my2girls my3girls myfamily myfriend mymother mynameis mypasswo mysecret myspace.co
    myxworld n0=acc3ss n8zgt5p0shw= nacional nadezhda nancy123 napoleon nastenka natalia1 natascha
    natedogg nathalie nathanie nathaniel nathaniel1 national nautilus navigato navigator navyseal
    nbuhtyjr ncc1701a ncc1701e ncc74656 nebraska needforspeed nemesis1 nemrac58 netscape networking
    neveragain nevermin nevermind nevermor nevermore newcastl newlife1 neworder newport1
    newproject2004 newstart nicetits nichole1 nickjonas1 nicolas1 nigga123 nightmar nightmare
    nightmare1 nightowl nightwin nightwish nikki123 nineball nineinch nks230kjs82 nocturne noisette
    nokian73 noname123 nonmembe nonmember noodles1 normandy nosferatu nostromo notebook notredam
    nounours novifarm novikova nthvbyfnjh ntktdbpjh nuttertools nwo4life nygiants nyq28giz1z
    nyyankee oakland1 oblivion obsidian ocpoook325 ohiostate1 ohmnamah23 oklahoma oklahoma1 olayinka
    oluwaseun omarion1 omegared onelove1 open1234 opendoor optimist optiplex original orlando1
    outsider overkill overlord p0015123 p3rat54797 p455w0rd packard1 paintbal paintball paintball1
    paladin1 pallmall palmtree panasoni panasonic panda123 pandora1 panorama pantera1 panties1
    pantyhos pantyhose papabear papamama paperino papillon paradigm paramedi parlament parsifal
    partizan pasadena pass1word passer2009 passer2011 passion1 passmast passport passport1 passthie
    passwerd passwor1 passwords patches1 pathfind pathfinder patience patrizia patterso pavement
    pavilion pavilion1 payton34 pazzword123 pe#5gz29ptzmse peaceout pearljam pebbles1 peekaboo
    pegasus1 penelope penetrating penetration pennstat pennywis penthous peregrin personal pertinant
    peterbil peternorth petrovich phaedrus phantom1 pharmacy phialpha philippe pianoman pickles1
    pictuers pictures piercing pimpdadd pimpdaddy pimpdaddy1 pimpster pineappl pineapple pineapple1
    pinetree pingpong pinkfloy pinnacle pipeline pippen33 piramida pitbull1 pitchers pizzahut
    pizzaman pk3x7w9w plastics platypus playball playmate playstat playtime plymouth pok29q6666
    polaroid polniypizdec0211 polniypizdec1102 polniypizdec110211 pontiac1 poohbear poohbear1
    pool6123 poontang poophead popcorn1 porkchop pornking pornographic pornpass portland portugal
    portugal1 poseidon positive pothead1 pothead420 power123 powerman preacher precious precious1
    prelude1 presario presiden president preston1 prettyboy1 prettygirl primavera princessa
    princesse princeto pringles priscill priscilla priyanka professional project1 projectsadminx
    puertorico pufunga7782 pumpkins punisher punkrock punkrock1 puppydog pussy4me pussycat pussycat1
    pussyeat pussylover pussyman pyramid1 pyramids q1q2q3q4 q1q2q3q4q5 q2w3e4r5 qarglr123 qawsedrf
    qawsedrftg qaz123456 qazwsxed qazwsxedcrfvtgb qazxsw12 qazxsw123 qazxswedc qdujvyg5sxa qqqq1111
    qqww1122 qti7zxh18u quant4307s qw123321 qw123456 qwe1122334 qwe123456 qweasdzx qwedsazxc
    qwer4321 qwert12345 qwerty12345 qwertyu1 qwertyuio qwertyuio1 r2d2c3p0 r2d2c3po r4e3w2q1
    racecar1 rachael1 rachelle radiohea radiohead ragnarok raiderz1 raindrop rainyday raistlin
    rammstei rammstein ramstein rasputin rastaman raymond1 rb26dett rdfhnbhf rebbyt34 rebelde1
    rebound1 reckless redalert redbaron redbull1 reddevil reddwarf redheads redlight redstorm
    redwings redwings1 register reloaded remember remember1 remingto remington renegade rerfhtre
    research reset123 resident respect1 revenge1 revival47 revoluti revolution revolver rfgbnjirf
    rfhfvtkmrf rfhfylfi rfhlbyfk rfhnjirf rfnthbyf rfntymrf rfvfcenhf rhbcnbyf rhfcfdbwf rhfcjnrf
    rhiannon rhjrjlbk rhtdtlrj ricardo1 riccardo richmond rickster riffraff rightnow riverrat
    riversid rjhjktdf rjirfrgbde rjycnfynby rktjgfnhf roadkill roadking roadrunn roadrunner roadster
    roberto1 robinhood robinson robotech robotics rochelle rockford rockhard rocknrol rocky123
    rodriguez rodriguez1 rolltide rolltide1 romanova romashka rooney10 roosters rootbeer rootbeer1
    rootedit rosebud1 rosemary rosewood roxanne1 rsalinas rt6ytere runescape runescape1 rushmore
    russell1 russian7 rustydog s123456789 saab9000 sabrina1 sagitario sailboat salamander saltydog
    salvador salvador1 salvation salvator salvatore samadams sammy123 sammydog sampson1 sanchez1
    sandiego sandiego1 sandman1 sandrine sandy123 sanity72 santacru santana1 santiago santiago1
    sarajevo saratoga sasha123 sasha_007 sassy123 satellit satellite sausages savannah savannah1
    saxophon sayangku scarface scarface1 scarlett scheisse schnuffi scirocco scoobydo scooter1
    scooter2 scorpio1 scorpions scrabble scrapper scrappy1 screamer screwyou scruffy1 seahawks
    seahorse sealteam seattle1 sebastia sebastie sebastien seductive segblue2 seinfeld seminole
    semperfi semperfi1 senators senior08 senior09 sentinel sentnece sephirot sephiroth septembe
    seraphim serenity serenity1 sergbest sersolution sevenof9 seventeen sexybabe sexybeast1 sexylady
    sexylady1 sexylove1 sexymama sexymama1 sfgiants shamrock shaney14 sheepdog sherlock shevchenko
    shinigami shirley1 shitface shitface1 shitfuck shithead shithead1 shopping shopping1 shotgun1
    shotokan showtime shredder sidekick sidewind sigmachi silverad silverado simpleplan simpson1
    singapor singapore sinister sithlord sixtynin sk84life sk8board sk8ordie skate123 skate4life
    skater12 skater123 skeeter1 skinhead skipper1 skittles skittles1 skorpion skydiver skyline1
    skywalke slamdunk slapnuts slapshot slayer666 slimshad slimshady slippery slowhand smackdow
    smackdown smackdown1 smallville smartass smashing smeghead smile4me smirnoff smirnova smoke420
    smokedog smoothie snakeman snapshot sneakers snickers snickers1 snoopdog snowbird snowboar
    snowflak snuggles snuggles1 socrates softtail sojdlg123aljg sokolova solitude solnishko solomon1
    solution something something1 songbird sonyericsson sonyfuck sonyvaio sooners1 sopranos
    soso123aljg souljaboy1 soulmate southpar southpaw southside southside1 spaceman spanking
    sparhawk sparkle1 sparkles spartan1 spartan117 spartans specialk spectrum spiderma spitfire
    spitfire1 splatter splinter spongebo sporting sprinter sprocket squerting squirrel srinivas
    ssyu1314 stalker1 stamford standard stanislav stanley1 starbuck starcraf starfire starfish
    stargate stargate1 starligh starlite starship start123 startfinding stefania stefanie stellina
    stephane stephani sterling sterling1 stewart1 stickman stigmata stiletto stinger1 stingray
    stocking stonecol stonecold stoner420 stonewal stoppedby stranger stratfor strawber streaming
    strength stripper stunt101 su123456 sublime1 submarin success1 suckcock suckdick suckmydick
    sullivan summertime sundance sunderla sundevil sunflowe sunlight sunnyday super123 superbow
    superfly supernov supernova supersonic supersta sureno13 surside13 surveyor survivor svetlana
    swallows sweetass sweetnes sweetness sweetness1 sweetpea sweetpea1 swimmer1 swingers swinging
    swordfis swordfish swordfish1 sylveste syncmaster syracuse sz9kqcctwy tabitha1 tacobell
    tacobell1 taekwondo tailgate taishan2011 takamine talisman tamerlan tampabay tangerin target123
    tarheels tarheels1 tazmania teamwork techn9ne technics tecumseh teddy123 teddybea teddybear
    teddybear1 teiubesc telechargement telefono telephon telephone television temitope temppassword
    temptress tenerife tennesse terminat terrapin terriers testibil testpass thailand thanatos
    thankgod thankyou thebeast thebest1 theclash thedoors theforce thegame1 thegreat theking1
    theodore theresa1 therock1 thesaint thesims2 thething thetruth thirteen thirteen13 thisisit
    thompson threesom thug4life thuglife thuglife1 thumbnils thumper1 thunderb tiberian tiberius
    tickling ticklish ticktock tiffany1 tigercat timelord timothy1 timoxa94 tinkerbe titanic1
    titanium titleist tkbpfdtnf tnk0mk16vx tokiohotel tomahawk tommy123 tommyboy tomservo tonyhawk
    tooltime toonarmy tootsie1 topolino topsecre toriamos tortoise tottenha toulouse trailers
    transexual translator traveler treefrog trfnthbyf triangle trigger1 trinidad trinitro trinitron
    triplets triskelion tristan1 trojans1 trombone trooper1 trouble1 trousers trucking trueblue
    truffles trumpet1 tryagain ttd955audg tunafish ty2t1hv3oc u1v7hhh7ef ufhvjybz uhbujhbq
    uhfybn8888 ultimate ultraman umbrella uncencored underdog underground undertak undertaker
    undertow univers2l universa universal universi uqa9ebw445 ursitesux usmarine usmc0311
    usuckballz1 utahjazz uvgx8f8232 vacation vaffanculo vagabond valencia valentin valentino
    valerie1 valeriya valhalla valkyrie valleywa vampires vancouve vancouver vanessa1 vanguard
    vanhalen vanilla1 vaseline vasilisa vauxhall vendetta verbatim verizon1 veronika verygood
    vfhbyjxrf vfhnsirf vfhufhbnf vfitymrf vflfufcrfh vfnbkmlf vfntvfnbrf vfpfafrf vfrcbvrf vfvfgfgf
    vfylfhby victory1 viewsoni viewsonic viktoria viktoriya vincent1 vincenzo violator violetta
    vipergts viphv5j736 virginia virginia1 virginie vivitron vjqgfhjkm vkontakte vladimir vladislav
    vodafone volkodav volkswag volleyba voyager1 vqsablpzla vrbgqns997 vsjasnel12 w5txn36alfw
    w66yrybgra waffenss wallace1 walmart1 wanderer wangyut2 wapapapa wareagle warhamme warhammer
    warszawa washingt washington water123 waterboy waterfal waterfall waterloo watermelon waterpolo
    waterski wdtnjxtr weare138 webhompas webhompass webmaste webmaster websol76 websolutions
    webster1 wednesda wellhung wellingt wellington westham1 westlife westside westside1 westwood
    wetpussy wg8e3wjf whatsup1 whatthezor whiplash whiskers whistler whiteboy whiteout whitesox
    whitney1 whocares whoknows wildbill wildcard wildcat1 wildcats wildcats1 wildfire wildwood
    williams williams1 winchest windmill windsurf wingchun wingzero winston1 wishbone woaini1314
    wolfgang wolverin wonderboy wonderfu wonderful wonderful1 wonderland woodland woodstoc woodstock
    woodwork wordpass wordpass1 worldcup wow12345 wp2003wp wrangler wrestlin wrinkle1 wrinkles
    x4ivyga51f x72jhhu3z xiang123456 y6p67ftrqj yagjecc826 yahoo.com yahoomail yamahar1 yamahar6
    yaroslav yeahbaby yesterda yfcntymrf yfdbufnjh10305070 yfdbufnjh63 yfnfitymrf yjdsqgfhjkm
    yogibear yolanda1 yomomma1 yorktown yosemite youandme youbye123 youngmoney yourmama yourmom1
    yousuck1 ytngfhjkz yuantuo2012 zacefron1 zachary1 zag12wsx zanzibar zaq12345 zaqwsxcde zaqxswcde
    zeppelin zerocool zildjian zolushka zxasqw12 zxcasdqwe zxcasdqwe123 zxcvasdf zxcvb12345 zxcvvcxz
    zz8807zpl
    """#
}
