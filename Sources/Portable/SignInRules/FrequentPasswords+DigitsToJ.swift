extension FrequentPasswords {
  static let digitsToJ = #"""
    0.0.0.000 0.00000000 0000000000o 000webhost 01011900 01011910 01011950 01011960 01011961
    01011971 01011972 01011973 01011974 01011975 01011976 01011977 01011978 01011979 01011981
    01011982 01011983 01011984 01011985 01011986 01011987 01011988 01011989 01011991 01011992
    01011993 01011994 01011995 01011999 01012001 01012010 01012011 01020304 0102030405 01021990
    01031985 01031988 01031989 01041985 01041988 01061986 01061990 01071986 01081989 01091987
    01091989 01121986 01121988 01478520 0192837465 02011971 02011975 02011980 02011981 02011982
    02011983 02011984 02011985 02011986 02011987 02011988 02011989 02021971 02021973 02021976
    02021979 02021981 02021982 02021983 02021984 02021985 02021986 02021987 02021988 02021989
    02021990 02031970 02031973 02031974 02031975 02031977 02031978 02031979 02031980 02031981
    02031982 02031984 02031985 02031986 02031987 02031988 02031989 02041972 02041973 02041974
    02041975 02041976 02041977 02041978 02041979 02041980 02041981 02041982 02041983 02041984
    02041985 02041986 02041987 02041988 02041989 02051970 02051972 02051973 02051975 02051976
    02051977 02051978 02051980 02051981 02051982 02051983 02051984 02051985 02051986 02051987
    02051988 02051989 02061971 02061972 02061974 02061976 02061977 02061980 02061982 02061983
    02061984 02061985 02061986 02061987 02061988 02061989 02071971 02071975 02071976 02071978
    02071979 02071980 02071981 02071982 02071983 02071984 02071986 02071987 02071988 02071989
    02081970 02081973 02081974 02081976 02081977 02081980 02081982 02081983 02081984 02081985
    02081986 02081987 02081988 02081989 02091971 02091973 02091975 02091976 02091977 02091980
    02091981 02091983 02091984 02091985 02091986 02091987 02091989 02101973 02101976 02101977
    02101979 02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 03031986
    03041986 03041991 03082006 04041988 04041991 05051985 05051987 05051989 06061986 07071977
    07071987 07091990 08031985 08031986 08051990 08081988 08121986 085tzzqi 09051945 0987654321q
    0o9i8u7y 0r968ji9ufj6 10011986 10011990 10031988 10051987 10071987 10101986 10101990 10293847
    1029384756 11001001 11051987 11051990 11061985 11081989 1111qqqq 11121986 11122233 111222333
    111222tianya 1123581321 12011987 12021988 12031985 12031987 12051988 12121985 1213141516
    1232323q 12340987 1234509876 12345123 12345600 12345612 123456123 12345654321 12345671 12345677
    123456781 1234567890- 12345678901 1234567890z 123456789123456789 123456789987654321 123456789abc
    123456789b 123456789c 123456789d 123456789e 123456789f 123456789g 123456789h 123456789j
    123456789k 123456789l 123456789m 123456789n 123456789o 123456789p 123456789q 123456789qwe
    123456789r 123456789s 123456789t 123456789v 123456789w 123456789z 12345678q 12345678s 1234567aa
    1234567m 1234567s 1234567z 123456987 123456aaa 123456ab 123456as 123456asd 123456qq 123456qqq
    123456qw 123456qwe 123456ru 12345abcde 12345asd 12345qaz 12345qwe 12345qwer 12345qwert
    12345qwerty 12348765 12349876 1234kekc 1234rewq 123581321 12365478 12369874 123698741 123698745
    123abc123 123hfjdk147 123masha 123mudar 123qq123 123qweas 12locked 12qw23we 12s3t4p55 13021990
    13031987 13041987 13041988 13061986 13121985 13243546 13245768 134679852 1357908642 135798642
    14021985 14021986 14061991 14111986 14725836 14785236 14789632 147896321 15011987 15021985
    15051981 15051990 15101986 15426378 159753123 16051987 16051989 16121987 168asd168 17011987
    17051988 17061988 17171717aa 18011987 18061990 18091985 18273645 18atcskd2w 19061987 19101987
    19283746 192837465 19411945 1a2a3a4a 1a2b3c4d5e 1a2s3d4f5g 1andonly 1basebal 1fr2rfq7xl 1g2w3e4r
    1hxboqg2 1passwor 1q2q3q4q 1q2w3e4r5 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p
    1qay2wsx 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazzaq1 1v7upjw3nt 1x2zkg8w 1z2x3c4v5b 1zn6fpn01x
    20031987 20051988 20061988 20091988 20091991 20111986 2012comeer 20spanks 21011989 21031987
    21031988 21031990 21051988 21051991 21101986 22011988 22021986 22021989 22031984 22041987
    22041988 22061941 22071986 22446688 23021986 23041987 23skidoo 24011985 24061986 24111989
    25011990 25031987 25041988 25081988 25091987 25121987 25251325 25800852 26031988 26061987
    27061988 27731828 28011987 28021990 28021992 28041987 29011985 29051989 29071983 29rsavoy
    30031988 30041986 30051985 31011987 369258147 369852147 393041123 3d8cubaj2e 3odi15ngxb
    3rjs1la2qe 3rjs1la7qe 3rjs5la8qe 421uiopy258 43046721 44332211 44magnum 45m2do5bs 4rfv3edc
    50spanks 5532361cnjqrf 55bgates 5hsu75kpot 5wr2i7h8 5xfgs3ii9d 66613666 69213124 6hbf28w791
    6v21wbgad 73501505 74108520 74123698 7777777a 78945612 7894561230 78963214 789632145 789654123
    7ugd5hip2j 87654321q 890098890 8ix6s1fceh 8j4ye3uz 8phrowz622 9-11-1961 911turbo 918273645
    9293709b13 92k2cizcdp 987456321 987654321a 987654321q 99762000 a123456a a1a2a3a4 a1a2a3a4a5
    a838hfid aaa123123 aaaa1111 aaliyah1 aardvark aaron123 aaron431 abcde12345 abdullah aberdeen
    abhishek abnormal abracadabra abrakadabra acapulco account1 achilles acidburn addison1 adgjmptw
    adrenalin adriana1 adventur adventure aerosmit aerosmith agent007 agnieszka airborne akatsuki
    akax89wn akopa123 alabama1 albatros alberto1 alcatraz alejandr aleksander aleksandr aleksandra
    alessand alex1234 alexande alexandr alexandre alexandria alexandru alfarome alfaromeo algernon
    aligator alkaline alladin79 allblack alleycat alligator allison1 allnight allstar1 allstate
    almighty alpha123 alphaman alterego amandine amarillo amateurs ambrosia amethyst amsterda
    amsterdam anaconda anakonda anamaria anastasi anastasia anastasiya anderson anderson1 andromed
    andromeda andyod22 angelbaby1 angelica angelica1 angelika angelique anhyeuem animals1 anna2614
    annabelle annalisa annamaria annette1 antelope antigone antonella anything anything1 aobo2010
    aolsucks applepie aquafina aquarius arabella arcangel archange archangel architec argentin
    arianna1 arizona1 armageddon armagedon armstron arschloch as790433 asd123456 asdffdsa asdfg123
    asdfg12345 asdfghj1 asdfjkl: asdfqwer asdfzxcv ashleigh asmodeus aspirine assassins assholes
    asslover assmunch astalavista astonvil astonvilla atlanta1 atlantis atreides attitude augustin
    australi avalanch avalanche avangard azsxdcfv babatunde babemagn babemagnet baberuth babushka
    babybear babyblue babyblue1 babyboo1 babycake babycakes babycakes1 babydoll babydoll1 babygurl
    babygurl1 babygurl12 babylon5 babylove babylove1 babyphat1 backbone backdoor backspace
    backspace1 badabing badkarma badminton badnaamhere bajingan baller23 balloons ballsack baltimor
    bananas1 baracuda barbados barcelon barefeet barefoot baritone barracud barracuda barselona
    basebal1 basketba basketbal batista1 battlefield bautista baywatch bcfields beachbum bearcats
    bearshare beatrice beautifu beefcake beethove beethoven bellagio bendover benessere bentley1
    bergkamp bernadette bernard1 bernardo bernhard bethany1 bettyboo bettyboop bettyboop1 bigballs
    bigblack bigblock bigboobs bigbooty bigbucks bigbutts bigdicks bighead1 bignasty bigpenis
    bigpimpin1 bigpoppa bigpussy bigtruck billabon billabong billabong1 billy123 billybob billybob1
    billyboy binladen biohazard bionicle biscuit1 bisexual bismarck bismilla bitchass bitchass1
    bkl29m2bk blackass blackbel blackbelt blackbir blackboy blackcoc blackcock blackdog blackhaw
    blackice blackie1 blackjac blacklab blackops blackout blackrose blasted1 blaster1 blink123
    blizzard blondie1 blondinka bloopers blowfish blueball bluebell blueberr blueeyes blueeyes1
    bluefish bluejays bluenose bluesman bluestar bobafett bobby123 bobdylan bobmarle bollocks
    bonehead bonethug boobies1 boogaloo bookcase bookworm bordeaux boricua1 boris123 bowling1
    bravehea braveheart brayden1 breanna1 brendan1 brian123 brianna1 briciola brighton brigitte
    brittney brittney1 broadway brothers browndog brucelee bruno123 bubba123 bubblegum bubblegum1
    bubbles1 bubbles12 bubbles123 bubbles2 buckeye1 buckeyes buckeyes1 buckshot buckwhea budapest
    buddy123 buddyboy buddydog budlight budlight1 budweise bugsbunn bukowski bulldawg bullfrog
    bullseye bullwink bumblebee bunghole buratino businessbabe buster12 buster123 buttercu butterfl
    buttfuck butthead butthead1 butthole butthole1 buttons1 bynthytn c3por2d2 c43qpul5rz cabernet
    caitlin1 calamity caliente californ caligula calimero callisto camaross camaroz28 cambiami
    cambridg camelot1 cameltoe cameron1 campbell candyass cannabis cannibal cannonda cantona7
    capetown capital1 capitals capoeira capricor capricorn capricorn1 capslock caramelo cardinal
    cardinals cardinals1 care1839 carebear carebear1 career121 carlitos carlotta carnival caroline
    caroline1 carpedie carpediem carpente cartoons casablanca casanova caseydog cashflow cashmone
    cashmoney cashmoney1 cassandr cassandra cassandra1 cassidy1 castillo catalina catarina catdaddy
    caterina catfight catfish1 catherin catherine catherine1 cavalier cbr600rr cbr900rr cdtnkfyf
    celeste1 cellphone cellphone1 cepetsugih cerberus cezer121 cfitymrf chainsaw challeng chandler
    chandler1 charger1 charisma charlene charlott charlotte charlotte1 charlton charmed1 cheater1
    checkers checkmat cheerleaers cheetah1 chelseafc chemical chemistry cherokee cherokee1 cherries
    cheshire chester1 chevelle chevrole chevys10 chewbacc cheyanne cheyenne cheyenne1 chickens
    chickenwing101 chipmunk chipper1 chiquita chivas10 chivas11 chivas123 chloe123 chocolat chopper1
    choppers choupette chris123 chrisbln chrisbrown chrissy1 christia christin christma christop
    christophe christy1 chronic1 chrysler chuckles churchil citibank civilwar cjkysirj cjmasterinf
    clarence clarinet clarissa classic1 classics classof07 classof08 classof09 claudia1 claymore
    clayton1 cleopatr cleopatra clevelan cleveland cleveland1 clifford clifford1 clippers clitoris
    close-up cm6e7aumn9 cnfybckfd cocksuck cocksucker coldbeer coldplay colleen1 colorado colorado1
    colossus coltrane columbia comanche comeon11 comicbookdb commande commando concorde concrete
    confused consumer contortionist control1 converse coolgirl coolhand coolkid1 coolman1 coolness
    copenhag corleone cornhole corvet07 costaric cosworth country1 courtney courtney1 coventry
    cowboyup cowgirl1 cracker1 crazybab crazyman creampie creative creative1 creepers crescent
    cristiano crjhgbjy crocodil crusader cucciolo cucumber cuddles1 culinary cutegirl cvbhyjdf
    cxfcnkbdfz cybersex cyclones cygnusx1 cynthia1 d1lakiss d2xyw89sxj d71lwz9zjs d9zufqd92n
    daddysgirl daedalus dagobert daisydog dalejr88 damilola dangerou dangerous daniela1 daniella
    dannyboy daredevi daredevil darkange darkangel darklord darkside darkstar darthvad daughter
    davidoff davidson daydream dbrnjhbz deadhead deadspin dearbook deathnote deathrow deborah1
    deepblue deepthro deepthroat deerhunt deeznuts deeznutz defender deftones delacruz delphine
    delpiero demon1q2w3e demon1q2w3e4r demon1q2w3e4r5t derparol derrick1 designer desiree1 desperado
    detectiv detroit1 devildog devilman devilmaycry dfcbkbcf dfktynby dfktynbyf dhjnvytyjub diamante
    dickweed dietcoke dietcoke1 dilbert1 dilligaf dillweed dima1995 dingdong diosesamor diosesfiel
    dipstick director dirtbike dirtbike1 dirtydog discover discovery disturbed disturbed1 diwtgm8492
    dkflbckfd dkflbvbh dkflbvbhjdbx dkflbvbhjdyf doberman dodgeram doggydog doggystyle doghouse
    dogpound dolemite domainlock2005 domenico dominic1 dominican1 dominika dominion dominiqu
    dominique dominique1 dont4get dontknow doomsday doorknob doraemon dorothy1 doughboy douglas1
    downhill download dpbk1234 dragonba dragonballz dragonfl dragons1 dragrace dragster dreamcas
    dreamcast drjynfrnt dropdead dropkick drowssap drowssap1 drpepper drpepper1 dt123456 dthjybrf
    dtkjcbgtl dtxyjcnm duckhunt dumbass1 duracell durango1 dutchess dutchman dylan123 dynamite
    earnhard earthlin earthlink eastside eastside1 eastwood eatmenow eatpussy eatshit1 eclipse1
    edinburg education eggplant eh1k9oh335 eightbal einstein ejaculation ekaterina elbereth elcamino
    eldiablo eldorado electric electron elefante element1 eleonora eleven11 elisabet elisabeth
    elizabet elizaveta emanuele embalmer emiliano emily123 emmanuel emmanuel1 emmitt22 enforcer
    english1 enter123 enternow enterpri envision erection ericsson escalade escorpio esmeralda
    esperanza espresso estrellita eternity ethernet euphoria evangeli evangelion evergree evergreen
    everlast everques everquest evildead evildick evolutio evolution evony192 excalibu excalibur
    excellen explorer express1 f00tball f15eagle fabienne fabrizio fabulous facefuck failsafe
    fairlane fakepass fallout3 falstaff familyguy1 fandango fantasia fantasti fantasy1 fantomas
    farfalla farscape fashion1 fastball fastcars favorite2 favorite6 fearless feathers federica
    federico feelgood felicia1 felicidad felicidade fellatio fenerbahce fernandez fgtkmcby fhvfutljy
    fidelity finalfantasy fireball firebird fireblad fireblade firefigh firehawk firestar firestorm
    firewall fishbone fishcake fisherma fisherman fishface fishhead fishtank fivestar fkbyjxrf
    fktrcfylh fktrcfylhf fktyeirf flamingo flashman flathead fletcher flexible flipflop flipmode
    flipper1 florence flounder flvbybcnhfnjh flyers88 footlove fordf150 fordf250 fordf350 fordtruc
    foreplay foreskin forgetit formula1 forsaken fountain foxylady fqrg7cs493 frances1 francesc
    francesca francine francis1 francisc francois frank123 frankie1 franklin franklin1 freckles
    freckles1 fred1234 freddie1 frederic frederick frederik freebird freefall freepass freeporn
    freestyle freeuser freewill freiheit frenchie friendster frogger1 front242 frontier fruitbat
    fu7u4a#$$$ fuck_inside fuckedup fuckface fuckface1 fuckhead fucking1 fuckinside fucklove
    fucklove1 fuckmehard fuckshit fuckthat fuckthis fuckthis1 fuckyeah fujifilm fuk19600 fuku00198
    fullaccess fullback fullmoon funstuff funtimes fussball futyn007 fuzzball fyfcnfcbz fyfnjkbq
    fynjybyf fyutkbyf fyutkjxtr g13916055158 g9l2d1fzpy gabriele gabriell gabriella gabrielle
    gabrielle1 galatasaray galeries gallaries gamecock gamecube gameover gangbang gangbanged
    gangsta1 gangster gangster1 ganjaman gannibal gargoyle garrett1 gateway1 gateway2 gatorade
    gbgbcmrf gbhfvblf geibcnbr general1 genesis1 geoffrey georgia1 georgina geraldin geraldine
    geronimo gerrard8 gertrude gesperrt getmoney getmoney1 gfgfvfvf gfhjkm12 gfhjkm123 gfhjkmgfhjkm
    ghbdtn123 ghbdtnbr ghbdtndctv ghbdtnrfrltkf ghblehjr ghbywtccf ghhh47hj7649 ghjcnbnenrf
    ghjcnjgfhjkm ghjcnjnfr ghjdthrf ghjnjnbg ghjuhfvvf ghostrider gianluca gigabyte giggles1
    gilbert1 ginscoot giovanna giovanni girasole girfriend girlfriend giveitup gizmo123 gizmodo1
    gladiato gladiator glendale glennwei glenwood gobigred goddess1 godfathe godfather godfather1
    godsmack godspeed gogators goldberg goldeney goldeneye goldfing goldrush goldstar goldwing
    golfball golfclub golfcourse gonzales gonzalez good123654 goodfell goodgirl goodison goodlife
    goodluck goodness goodtime goodyear goofball gooseman gordon24 gorillaz gotigers gotohell
    gotyoass grandma1 grandpa1 grandpri grapeape graywolf greatone greatsex greedisgood greenbay
    greenman greentea gregory1 gretchen greyhoun greywolf griffin1 grizzly1 groupd2013 gsxr1000
    gtnhjdbx guadalupe guardian guesswho guillaum guillaume guillerm guillermo gulliver gwerty123
    gymnastic h1xp2z2duk hairball halflife hallowee hamilton handball handyman hannibal hannover
    happines happydays happydog happyman hardball hardcock harddick hardrock hardwood hardwork
    harmony1 harrison harrison1 harry123 harrypotte hatteras hattrick hawaiian hawkeye1 hawkeyes
    hawkwind hawthorn hayabusa hd764nw5d7e1vb1 headless headshot heather1 heather2 hedgehog heinlein
    hellohel hellohello hellsing hellyeah hendrix1 hercules hercules1 herewego hernande hernandez
    hernandez1 hershey1 hetfield highbury highheel highland highlander highlife hillbill hillside
    hitman47 holiday1 hollister hollister1 hollister2 hollywoo holyshit home0401 home1234 homebrew
    homelesspa homemade homepage hondacbr hondacivic honduras honduras1 honeydew honolulu hooligan
    hoosiers hooters1 hornyguy hornyman horseman horsemen hospital hotbabes hotchick hotgirls
    hotmama1 hotpussy hotstuff hotstuff1 hounddog housewife housewifes htubcnhfwbz hugetits hugoboss
    huhbbhzu78 hulkster hurrican hurricane huskers1 hyperion iamcool1 iamnumber1 ibilltes icecream
    icecream1 icehouse idontkno iforgot1 ig4abox4 ignatius ihatethisgame ijrjkflrf ilikepie ilikesex
    illinois illmatic illusion ilovechris iloveher1 ilovemymom iloveporn ilovepussy ilovesex
    ilya1234 immortal imnumber1 impalass imperial implants imtheman incorrect indiana1 indonesia
    indya123 infiniti infinity information innocent insanity insertion insertions insomnia inspiron
    interacial intercourse interests international intrepid intruder inuyasha inuyasha1 invictus
    irishman ironhors isabelle isabelle1 islander istheman italiano iverson1 iverson3 iw14fi9j
    iw14fi9jxl j123456789 j38ifubn j3qq4h7h2v jackass1 jackass2 jacket025 jacqueline jakcgt333
    jakester jamaica1 james007 james123 jamesbon jamesbond jamesbond007 jamie123 japanees jason123
    jayhawks jazmine1 jbond007 jeanette jediknig jeepster jefferso jefferson jeffery1 jeffhardy
    jeffhardy1 jeffrey1 jellybea jellybean jellybean1 jenny123 jeremiah jeremiah1 jermaine jermaine1
    jerusalem jesucristo jesuschris jesusfreak jg3h4hfn ji394su3 jiggaman jimmy123 jjcg16dj5k
    jobsearch joejonas1 johannes john!20130605at1753 johncena johncena1 johndeer johndeere
    johndeere1 johngalt johnson1 jonas123 josefina joseluis josephin josephine joystick juancarlos
    juggalo1 juliette jumpman23 jundian2011xr junebug1 junior123 junkmail jurassic just4fun justdoit
    justinbieb justine1
    """#
}
