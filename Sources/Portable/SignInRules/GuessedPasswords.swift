/// The passwords that attackers guess first, taken from lists of leaked passwords.
///
/// They are in lower case, separated by spaces or line ends. The list also has words that are
/// shorter than a password may be, because people lengthen such words with a few digits.
enum GuessedPasswords {
  /// Whether the list contains this text, which must be in lower case.
  static func contains(_ text: String) -> Bool { all.contains(text) }

  private static let all: Set<String> = {
    var all: Set<String> = []
    for list in [words, phrases] {
      for word in list.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        all.insert(String(word))
      }
    }
    return all
  }()

  /// Words, names and keyboard patterns.
  private static let words = """
    aaabbb aabbcc abcabc abcd abcdabcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij abigail
    access accessgranted acdc acmilan admin adminadmin administrator adrian africa ahmed airforce
    airplane aisha ajax aladdin albert alejandra alejandro alexander alexandra ali alicia alien
    aliens alone alphabet amanda amazing amber amen america american amor amorcito amormio anakin
    andersen andrea andres andrew android angel angelina angelito angels anita anthony antonio
    apollo apple apples april aqswde aragorn argentina ariel army arsenal arthur asdasd asdf
    asdfasdf asdfgh asdfghjk asdfghjkl asdqwe ashley ashok assassin asshole audi august austin
    australia autumn avengers awesome azerty azertyui azertyuiop baby babyboy babyface babygirl
    badboy badgirl banana bangalore bank banker banking barbara barbie barcelona bart baseball
    basketball bass bastard batman bayern beach bear bears beatles beautiful beauty beckham
    believe believer bella benjamin bergen berlin bestfriend bestfriends beyonce bff bharat bible
    bicycle bigboy biggie billion bitch bitches black blackberry blackbird blackcat blackhawk
    blackjack blackpink bleach blessed blessing blessings blue blueberry bluebird bluemoon bluesky
    bmw bobmarley bonita boobs boss boston boxing boy boys bradley brandon brasil braves brazil
    britney brittany broken broncos brooklyn brother brown brownie bts budweiser buffalo bugsbunny
    bulldog bulldogs bulls bullshit bunny business butter buttercup butterflies butterfly cadillac
    california callofduty camaro camila canada candy candyman captain captainamerica carlos
    carolina cartman cash cat cats catwoman celtic celtics champion champions change changeit
    changeme chargers charizard charles charlie cheese cheesecake chelsea chennai cherry chevrolet
    chevy chewbacca chicago chicken children china chocolate christ christian christina christine
    christmas christopher church cielo cinderella cinnamon cisco cobra cocacola cock coconut code
    coder coding coffee college colombia company computer computers contrasena cookie
    cookiemonster cookies cool cooldude corazon corvette cosmos counterstrike cowboy cowboys crazy
    crazygirl cricket cristian cristina crystal cubs cupcake customer cutie cutiepie cyber daddy
    daisy dallas dance dancer dancing daniel danielle danmark danny dark darkness darling
    darthvader database david dead deadman deadpool death december deepak default delhi delivery
    dell demo demon demons denmark destiny deutschland developer devil diablo diamond diamonds
    dick dickhead diego digital dinosaur disney doctor dodge dodgers dog doggie doggy dogs dollar
    dollars dolphin dolphins donald dortmund dragon dragonball dragonfly dream dreamer dreaming
    dreams driver drummer drums ducati duck ducks dude dumbledore dvorak eagle eagles earth edcrfv
    eduardo edward eeyore egypt electronic elephant elizabeth elmo elvis emerald eminem engineer
    england enterprise espana estrella evanescence everton evil example facebook faith faithful
    falcon falcons familia family fantastic father fatima february fernanda fernando ferrari field
    fieldpass finland firefighter fireman fish fishing florida flower flowers football ford forest
    forever foreverlove fortnite fox foxes francais france francisco fredrik freedom friday friend
    friends friendship frodo frog froggy fuck fucker fuckme fuckoff fuckyou funny futurama gabriel
    gabriela galaxy game gamer games gaming gandalf ganesh ganesha garden garfield george germany
    ghost ghosts giants ginger giraffe girl girls gmail godbless godisgood godislove godzilla goku
    gold golden goldfish golf golfer golfing goodboy goodbye goofy google gorgeous gorilla grace
    green greenday gryffindor guest guinness guitar guitarist hacked hacker hackers hacking
    hallelujah halo hamster handsome hannah hannahmontana hansen happiness happy happyday hardcore
    hardware harley harleydavidson harrypotter haslo hassan hate hawaii hawk hawks heart
    heartbreak hearts heaven heineken hell hellfire hello hellokitty hellothere helloworld
    helpdesk helsinki hermione hermosa heslo hidden hiphop hobbit hockey hogwarts hollywood homer
    honda honey honeybee honeybun hongkong hope horse horses hotgirl hotmail hottie houston hulk
    hunter hunting hussein hyderabad idiot ihateyou ilove iloveme ilovemyself iloveu iloveyou
    iloveyouso india indian instagram intel inter internet ipad iphone ireland ironmaiden ironman
    isabella island istanbul itachi italia iuytrewq jackson jacob jaguar jaihind jaimatadi january
    japan jasmine jedi jeep jennifer jeremy jessica jesus jesuschrist jesusislord jesuslovesme
    jesussaves jewel job johansen joker jonasbrothers jonathan jordan joshua julia julian juliana
    july june jupiter justice justin justinbieber juventus karen katherine katie kavita kawasaki
    kelly kennwort kerala keyboard kids kill killer killyou kimberly king kingkong kitten kittens
    kitty knicks kobe kolkata korea krishna kristian ladybug lakers lakshmi lamborghini larsen
    lasvegas laughter laura lauren lawyer lebron legend legendary legends legolas lemon lenovo
    letmein liberty light lightning lily linda linkedin linkinpark linux lion lions liverpool
    lkjhgfdsa login logmein loki london lonely losangeles losenord loser love lovelove lovely
    loveme lover lovers loveyou lucifer lucky luckyone luffy luigi macintosh madonna madrid maggie
    magic magical magician magnus mahesh mamma manager manchester mango manunited manutd maradona
    march marcus maria mariana marina marine marines mario mark marley martin martina master
    masterkey matrix matthew maxwell mazda melbourne melissa melon mercedes mercury merlin messi
    metal metallica mets mexico miami michael michelle mickey mickeymouse microsoft midnight milan
    million millionaire minecraft minnie miracle missile mnbvcxz mohammed mom momanddad momdad
    mommy monday money moneymoney monkey monster monsters moon moonbeam moonlight morpheus moscow
    motdepasse mother motherfucker motorcycle motorola mountain mouse muffin muhammad mumbai mummy
    music musical mustang mychemicalromance mylove mypass mypassword myspace mysql mystery mystic
    nala narnia naruto nascar nasty natalie natasha nathan nature naughty navy neo neptune network
    newpass newpassword newyork neymar nicholas nicole ninja nintendo nirvana nissan nobody nokia
    nopassword norge norman norway nothing november nurse ocean october office oldpassword oliver
    olivia olsen omsairam onedirection onepiece opensesame openup operator oracle orange oranges
    orchid oscar oslo pablo packers panther panthers paradise paramore paris parola parool pass
    passcode passord passpass passphrase passwd password passwort patricia patrick patriots peace
    peaceful peaches peanut pearl pedro penguin penguins penis pepper pepsi perfect peter peterpan
    phillies phillip phoenix piano piglet pikachu pilot pink pinkfloyd pirate pirates pizza planet
    platinum playboy player players playstation pluto poiuyt poiuytrewq pokemon police policeman
    pony pooh pooja popeye porn pornstar porsche postgres praisegod preciosa predator pretty
    prince princesa princess private priya program programmer pumba pumpkin punjab puppies puppy
    purple purplerain pussy python qazwsx qazwsxedc qazwsxedcrfv queen qwaszx qweasd qweasdzxc
    qweqwe qwerasdf qwerasdfzxcv qwerqwer qwert qwerty qwertyqwerty qwertyui qwertyuiop qwertz
    qwertzui qwertzuiop rabbit racer rachel racing rafael rahul raiders rain rainbow rainbows
    rajesh ramesh ranger rangers rap rapper raptor raptors rapunzel raspberry realmadrid rebecca
    red redhead redneck redrose redskins redsox reggae rich richard ricky rider rihanna river
    robbie robert robin roblox rockandroll rocket rockets rocknroll rockstar roger rohit roma
    ronald ronaldinho ronaldo rooster root rootroot rose roses router ruby rugby running russia
    ryan sailormoon sairam sakura salasana samantha sample samsung samurai sandra sanfrancisco
    sanjay sapphire sarah sasuke satan saturday saturn school scooby scoobydoo scorpion scotland
    scott sebastian secret secrets secure security senha september server service sexy sexybitch
    sexyboy sexygirl shadow shadows shakira shanghai shannon shark sharks shit shiva signin
    signmein silver simba simon simpsons singer sister skateboard skating skywalker slipknot
    slytherin smile smiles smiley snake sniper snoopdogg snoopy snow snowball snowboard snowflake
    snowman soccer software soldier sonic sony sophia sophie soul southpark special spencer spider
    spiderman spirit spock spongebob spring squidward stallion star starbucks starcraft stardust
    starlight stars startrek starwars stavanger steelers stephanie stephen steven stockholm storm
    stormy strawberry student students stupid subaru sugar summer sunday sunflower sunita sunny
    sunrise sunset sunshine superadmin supergirl superhero superman superstar superuser support
    suresh surfer surfing suzuki sverige sweden sweet sweetheart sweetie swimming sydney sylvester
    sysadmin sysop system tank taylor teacher teamo technician temp temporary temppass tennis
    tequiero tequila terminator test tester testing testtest texas thepassword thomas thor thunder
    thursday tiger tigers tigger timon tinkerbell tits together tokyo topsecret toronto toshiba
    tottenham toyota travis treasure trinity trondheim truck trucker trucks truelove trust trustme
    trustno trustnoone truth tuesday tulip tupac turkey turtle tweety twilight twitter tyler
    ubuntu unicorn universe university unknown usa user username useruser vader vampire vegas
    vegeta venus veronica victoria vijay vikings violet viper visitor vodka voldemort volkswagen
    volleyball volvo wachtwoord waheguru warcraft warrior warriors wednesday welcome welcomehome
    werewolf whale whatever whiskey white whitehouse wifi william windows winner winners winnie
    winniethepooh winter wireless wizard wolf wolfpack wolverine wolves wonderwoman work worker
    working wrestling wsxedc xbox xyzxyz yahoo yamaha yankees yellow yellowstone yoda yourpassword
    youtube ytrewq zaqwsx zaqxsw zebra zelda zombie zombies zxcv zxcvb zxcvbn zxcvbnm zxczxc
    """

  /// Passwords with digits and signs, and whole phrases.
  private static let phrases = """
    1234567890 12345678900 1234567899 1234567890a a1234567890 1234567890q q1234567890 1111111111
    !1qaz2wsx !@#$%^&* !@#$%^&*() !@#$qwer !qaz1qaz !qaz2wsx !qaz@wsx #edc$rfv $rfvbgt5 00000000
    00112233 00700700 007007007 01010101 01011970 01011980 01011990 01012000 01234567 012345678
    0123456789 02020202 02468024 0987654321 0okm9ijn 0p3nsesame 0p9o8i7u 10002000 10101010
    101010101 10203040 102030405 1020304050 11110000 11111111 11111112 11112222 11223344
    1122334455 112233445566 11235813 12121212 121212121 12121990 12131415 12312312 123123123
    123321123 1234!@#$ 12341234 123412341234 12344321 1234512345 123454321 1234554321 123456123456
    123456654321 12345676 123456780 1234567890123 1234567891 12345678910 123456789123 123456789a
    12345678a 12345679 1234567a 1234567q 1234567qwe 12345687 123456aa 123456abc 123456qwerty
    12345abc 1234abcd 1234asdf 1234pass 1234qwer 1234zxcv 123654789 123789456 123abc456 123qwe123
    123qwe456 123qweasd 123qweasdzxc 12qw34er 12qwaszx 12qwerty 12wq34re 13131313 13579246
    135792468 1357924680 14141414 14142135 147147147 147258369 147852369 147896325 15151515
    159159159 159357258 159753456 16180339 18436572 19191919 19801980 19811981 19821982 19831983
    19841984 19851985 19861986 19871987 19881988 19891989 19901990 19911991 19921992 19931993
    19941994 19951995 19961996 19971997 19981998 19991999 1a2b3c4d 1a2s3d4f 1e2w3q4r 1loveyou
    1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qaz!qaz 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx
    1qazxsw2 1qw23er4 1w2q3r4e 1z2x3c4v 20001000 20002000 20012001 20202020 20202021 20222022
    20232023 20242024 20252025 20262026 20304050 21212121 22222222 22334455 24681012 258258258
    258456951 27182818 2wsx3edc 31121999 31415926 3141592653 32132132 321321321 321654987 33333333
    34erdfcv 357357357 369369369 3edc4rfv 44444444 456456456 456789123 4815162342 4rfv5tgb
    55555555 55667788 5tgb6yhn 66666666 69696969 6yhn7ujm 741258963 741852963 753159456 77777777
    786786786 789456123 789456123o 789789789 7ujm8ik9 852456852 8675309jenny 87654321 876543210
    88888888 963258741 963852741 987654123 98765432 987654321 9876543210 99887766 998877665544
    99999999 9i8u7y6t 9ijn8uhb ;lkjfdsa a1234567 a12345678 a123456789 a1a1a1a1 a1b2c3d4 a1b2c3d4e5
    a1s2d3f4 a1s2d3f4g5 a@123456 aa123456 aa12345678 aa@12345 aaaaaaa1 aaaaaaaa ab123456 abc12345
    abc123456 abc123abc abc123def abc@1234 abcd!234 abcd1234 abcd@1234 abcdefg1 abcdefg123
    abcdefgh1 adm1n1234 admin123 admin1234 admin12345 admin@123 administrator1 alessandra
    alessandro allah786 alpine12 america1 amoremio anniversary areyouserious arsenal1 arsenal123
    as123456 asd12345 asd123asd asdf1234 asdf;lkj asdfgh123 asdfghjkl1 asdfjkl; ashley12
    assalamualaikum asshole1 autumn2023 autumn2024 autumn2025 azerty12 azerty123 azerty1234
    azerty12345 azertyuiop1 babygirl1 bangalore1 bangladesh barcelona1 baseball1 batman123
    bemvindo bhu89ijn bienvenue1 bigdaddy bigdick1 bigmac12 bigmoney bigtits1 birmingham birthday
    birthday1 bismillah bismillah786 blahblah blahblah1 blink-182 blink182 bonjour1 bonjour123
    borussia brann123 brasil123 butterfly1 camille1 ch4ngeme changeme1 charlie1 cheerleader
    cheerleader1 chelsea1 chelsea123 chennai1 chivas12 chocolate1 chouchou christmas1 ciaociao
    classof24 classof25 computer1 contrasena1 contrasena123 corinthians correcthorse
    correcthorsebatterystaple cruzazul d1234567 december1 demo1234 deusefiel deutschland1 dhoni007
    doudou12 dr4g0n00 dragon12 edc12345 edinburgh elskerdeg february1 ficken12 fieldpass1
    fieldpass123 fieldpass2025 fieldpass2026 firstborn flamengo flamengo1 football1 forzainter
    forzamilan fotball1 francesco fuckyou! fuckyou1 fuckyou2 ganesha1 giuseppe god12345 godisgreat
    gremio12 guadalajara guessme12 guesswho1 guest123 gujarat1 gymnast1 gymnastics hallo123
    hallo1234 halloween halloween1 harekrishna hello123 hello1234 hemmelig hemmelig1 highschool
    hindustan i<3youuu iamgod666 iamthebest ichliebedich idontcare idontknow ihateyou1 il0veyou
    ilovedad ilovegod ilovehim iloveindia ilovejesus ilovemom ilovemum ilovemusic ilovemycat
    ilovemydog ilovemyfamily ilovemylife iloveyou! iloveyou1 iloveyou123 iloveyou2 imissyou
    imthebest india123 india@123 internet1 jaishreeram jaishriram jegelskerdeg jessica1 jesus123
    jesus777 jesuscristo jesusis1 jordan23 juniors1 juventus1 k1234567 karachi1 kjaerlighet
    kobe2424 krishna1 l1234567 l3tm31n0 lacrosse lacrosse1 lahore12 leavemealone lebron23 letmein!
    letmein1 letmein123 liverpool1 liverpool123 lkjhgfds loulou12 m0nkey12 m1234567 mahadev1
    maharashtra manchester1 manchesterunited manutd99 marseille meuamor1 mexico123 michael1
    michael23 minhasenha mko09ijn mnbvcxz1 monkey12 motdepasse1 mustang1 myb1rthday myspace1
    napoli1926 ncc-1701 ncc1701d nevermind1 newcastle nji90okm noneofyourbusiness norge123
    norge1814 norge2024 nottingham november1 number1fan numberone numberone1 october1 okmijnuhb
    omnamahshivaya opensesame1 p0o9i8u7 p0o9i8u7y6 p4ssw0rd p4ssword p@ssw0rd p@ssw0rd! p@ssw0rd1
    p@ssw0rd12 p@ssw0rd123 p@ssw0rd1234 p@ssword pa$$word pa55w0rd pa55word pakistan pakistan1
    pakistan786 palmeiras pass1234 pass12345 pass@123 passord1 passord12 passord123 passord1234
    passw0rd passw0rd1 passw0rd123 password! password!1 password#1 password01 password12
    password123 password1234 password12345 password123456 password@1 password@123 passwort1
    passwort123 pi314159 plmoknijb poiuytre princess1 pumasunam q!w@e#r$ q1234567 q12345678
    q123456789 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qaz12345 qaz123wsx qazwsx12 qazxsw21 qq123456
    qwe12345 qwe123asd qwe123qwe qwe123qwe123 qweasd123 qwer!@#$ qwer1234 qwerty!@#$ qwerty12
    qwerty123! qwerty123456 qwertyuiop123 radhakrishna radheradhe rajasthan realmadrid1 rfvtgbyhn
    root1234 rosenborg rush2112 s1234567 s1d2f3g4 sachin10 saibaba1 samsung1 santos12 saopaulo
    schalke04 schatz12 schatzi1 senha123 senha1234 seniors1 september1 sh4d0w00 shivashiva
    softball softball1 soleil12 sommer12 sommer123 sommer2024 sommer2025 spiderman1 spring2023
    spring2024 spring2025 starwars1 summer2020 summer2021 summer2022 summer2023 summer2024
    summer2025 sunderland sunshine1 sup3rman superman1 tamilnadu teamomucho telangana tequiero1
    tequieromucho test1234 test12345 tgbyhnujm thequickbrownfox thursday1 thx11388 tiamo123
    tinkle12 tobeornottobe toor1234 trustno1 user1234 valentina valentine valerenga vascodagama
    vinter12 vinter123 vinter2024 vinter2025 virat018 w1234567 w3lcome1 wednesday1 welc0me1
    welcome1 welcome123 welcome1234 welcome@123 whatever1 willkommen winter2020 winter2021
    winter2022 winter2023 winter2024 winter2025 wsx12345 x1234567 yhnujmik youwillneverguess
    z1234567 z1x2c3v4 z1x2c3v4b5 zaq!2wsx zaq!@wsx zaq12wsx zaq1xsw2 zaq1zaq1 zxc123zxc zxcv1234
    zxcvbnm1 zxcvbnm123 zz123456
    """
}
