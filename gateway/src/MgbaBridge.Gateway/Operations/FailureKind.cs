namespace MgbaBridge.Gateway.Operations;

/// <summary>A kind of failure, by which programs decide. Failures of commands are in <see cref="MgbaBridge.Client.Commands.FailureTable"/>.</summary>
/// <param name="Status">The HTTP status.</param>
/// <param name="Name">The last part of the problem's type.</param>
/// <param name="Title">What went wrong, in a few words.</param>
public sealed record FailureKind(int Status, string Name, string Title)
{
    private static readonly List<FailureKind> Known = [];

    internal static readonly FailureKind BadRequest = Add(400, "bad-request", "The request is not valid");
    internal static readonly FailureKind TokenNeeded = Add(401, "token-needed", "A token is needed");
    internal static readonly FailureKind LinkEnded = Add(401, "link-ended", "The link has ended");
    internal static readonly FailureKind ForeignOrigin = Add(403, "foreign-origin", "Not from here");
    internal static readonly FailureKind NoTokenSet = Add(403, "no-token-set", "Only callers of this machine are let in");
    internal static readonly FailureKind RoleNeeded = Add(403, "role-needed", "The role of the token is not enough");
    internal static readonly FailureKind OperatorNeeded = Add(403, "operator-needed", "The token belongs to an owner of sessions");
    internal static readonly FailureKind RomForbidden = Add(403, "rom-forbidden", "The ROM is outside the allowed folders");
    internal static readonly FailureKind VoterBlocked = Add(403, "voter-blocked", "The voter is blocked");
    internal static readonly FailureKind NoSuchAgent = Add(404, "no-such-agent", "There is no such agent");
    internal static readonly FailureKind NoSuchCheat = Add(404, "no-such-cheat", "There is no such cheat");
    internal static readonly FailureKind NoSuchCheats = Add(404, "no-such-cheats", "There is no such file of cheats");
    internal static readonly FailureKind NoSuchBios = Add(404, "no-such-bios", "There is no such BIOS");
    internal static readonly FailureKind NoSuchEmulator = Add(404, "no-such-emulator", "There is no such emulator");
    internal static readonly FailureKind NoSuchFreeze = Add(404, "no-such-freeze", "There is no such freeze");
    internal static readonly FailureKind NoSuchGuest = Add(404, "no-such-guest", "There is no such guest");
    internal static readonly FailureKind NoSuchMap = Add(404, "no-such-map", "There is no such map");
    internal static readonly FailureKind NoSuchName = Add(404, "no-such-name", "There is no such name");
    internal static readonly FailureKind NoSuchPatch = Add(404, "no-such-patch", "There is no such patch");
    internal static readonly FailureKind NoSuchPath = Add(404, "no-such-path", "There is no such path");
    internal static readonly FailureKind NoSuchPicture = Add(404, "no-such-picture", "There is no such picture");
    internal static readonly FailureKind NoSuchRecording = Add(404, "no-such-recording", "There is no such recording");
    internal static readonly FailureKind NoSuchRewind = Add(404, "no-such-rewind", "There is no such ring of states");
    internal static readonly FailureKind NoSuchRom = Add(404, "no-such-rom", "There is no such ROM");
    internal static readonly FailureKind NoSuchSave = Add(404, "no-such-save", "There is no such save data");
    internal static readonly FailureKind NoSuchScenario = Add(404, "no-such-scenario", "There is no such scenario");
    internal static readonly FailureKind NoSuchSearch = Add(404, "no-such-search", "There is no such search");
    internal static readonly FailureKind NoSuchSession = Add(404, "no-such-session", "There is no such session");
    internal static readonly FailureKind NoSuchSprite = Add(404, "no-such-sprite", "There is no such sprite");
    internal static readonly FailureKind NoSuchState = Add(404, "no-such-state", "There is no such state");
    internal static readonly FailureKind NoSuchVote = Add(404, "no-such-vote", "There is no such vote");
    internal static readonly FailureKind NoSuchVoter = Add(404, "no-such-voter", "There is no such blocked voter");
    internal static readonly FailureKind WrongMethod = Add(405, "wrong-method", "The path takes another method");
    internal static readonly FailureKind AlreadyVoted = Add(409, "already-voted", "The voter has voted");
    internal static readonly FailureKind IdTaken = Add(409, "id-taken", "The id is in use");
    internal static readonly FailureKind NoSuchPoint = Add(404, "no-such-point", "There is no such breakpoint or watchpoint");
    internal static readonly FailureKind KeysHeld = Add(409, "keys-held", "Keys are held");
    internal static readonly FailureKind NotOwned = Add(409, "not-owned", "The gateway did not start this emulator");
    internal static readonly FailureKind NotShared = Add(409, "not-shared", "No other machine can reach the gateway");
    internal static readonly FailureKind NothingToUndo = Add(409, "nothing-to-undo", "There is nothing to undo");
    internal static readonly FailureKind NullPointer = Add(409, "null-pointer", "It is nowhere now");
    internal static readonly FailureKind OtherGame = Add(409, "other-game", "It is another game");
    internal static readonly FailureKind OverQuota = Add(409, "over-quota", "The owner would have too many sessions");
    internal static readonly FailureKind RomExists = Add(409, "rom-exists", "Another ROM has the name");
    internal static readonly FailureKind StateExists = Add(409, "state-exists", "A state has the name");
    internal static readonly FailureKind TooManyEmulators = Add(409, "too-many-emulators", "There are as many emulators as allowed");
    internal static readonly FailureKind TooManyGuests = Add(409, "too-many-guests", "There are as many guests as allowed");
    internal static readonly FailureKind TooManySessions = Add(409, "too-many-sessions", "The fleet would have too many sessions");
    internal static readonly FailureKind Unsettled = Add(409, "unsettled", "The pointers do not hold still");
    internal static readonly FailureKind ValuesFrozen = Add(409, "values-frozen", "Values are frozen");
    internal static readonly FailureKind VoteEnded = Add(409, "vote-ended", "The vote has ended");
    internal static readonly FailureKind VoteOpen = Add(409, "vote-open", "A vote is open");
    internal static readonly FailureKind TooLarge = Add(413, "too-large", "The request is too large");
    internal static readonly FailureKind EncodedBody = Add(415, "encoded-body", "The body is compressed");
    internal static readonly FailureKind KeyReused = Add(422, "key-reused", "The key belongs to another request");
    internal static readonly FailureKind NoVideo = Add(422, "no-video", "The video cannot be made");
    internal static readonly FailureKind NotARom = Add(422, "not-a-rom", "It is no ROM");
    internal static readonly FailureKind NotASave = Add(422, "not-a-save", "It is no save data of this game");
    internal static readonly FailureKind OptionsRefused = Add(422, "options-refused", "The game cannot have these options");
    internal static readonly FailureKind TooManyRequests = Add(429, "too-many-requests", "Too many requests");
    internal static readonly FailureKind Defect = Add(500, "defect", "The gateway failed");
    internal static readonly FailureKind EmulatorMissing = Add(501, "emulator-missing", "The emulator is not installed");
    internal static readonly FailureKind NoFleet = Add(501, "no-fleet", "This gateway belongs to no fleet");
    internal static readonly FailureKind Unsupported = Add(501, "unsupported", "It cannot be done here");
    internal static readonly FailureKind StartFailed = Add(502, "start-failed", "The emulator did not start");
    internal static readonly FailureKind FleetUnavailable = Add(503, "fleet-unavailable", "The fleet's database cannot be used");
    internal static readonly FailureKind NoAnswer = Add(503, "no-answer", "The emulator does not answer");
    internal static readonly FailureKind NotReady = Add(503, "not-ready", "The emulator is not ready");
    internal static readonly FailureKind SessionMoving = Add(503, "session-moving", "The session does not run at the moment");
    internal static readonly FailureKind MemoryFull = Add(507, "memory-full", "The memory limit is reached");
    internal static readonly FailureKind SaveFailed = Add(507, "save-failed", "The save file cannot be written"); // as of the commands that save
    internal static readonly FailureKind StoreFailed = Add(507, "store-failed", "The state store cannot be used");

    /// <summary>All of them, in the order of their statuses.</summary>
    public static IReadOnlyList<FailureKind> All => Known;

    private static FailureKind Add(int status, string name, string title)
    {
        var kind = new FailureKind(status, name, title);
        Known.Add(kind);
        return kind;
    }
}
