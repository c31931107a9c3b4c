using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>Votes of an audience over what is pressed.</summary>
internal static class VoteOperations
{
    private const string One = "/v2/votes/{vote}";
    private const string VoterPath = "/v2/voters/{voter}";
    private const int MaxChoices = 32;
    private const int MaxTimes = 9;
    private const int MaxName = 32;
    private const int MaxBallot = 64;
    private const int MaxFrames = 600;
    private const int DefaultSeconds = 10;
    private const int MaxSeconds = 86_400;

    // what resets most games
    private static readonly KeySet Reset = KeySet.Parse("A+B+Start+Select");

    // the gateway counts; the game is not asked
    private static readonly Resource Resource = new("Votes", VoteJson.Default) { UsesEmulator = false };

    private const string Example =
        """{"id":"4b1d90aa","title":"Where to?","mode":"democracy","open":true,"holder":"vote-4b1d90aa","round":2,"left":6.4,"ballots":3,"voters":3,"choices":[{"name":"Left","sequence":"Left 4","ballots":2},{"name":"Right","sequence":"Right 4","ballots":1}],"last":{"round":1,"choice":"Right","ballots":5,"of":8},"recent":[{"voter":"ash","choice":"Left"}],"waiting":0,"pressed":1,"dropped":0}""";

    private static readonly Parameter<string> Id = Parameter.Text("vote", "The id of a vote.") with { Example = "4b1d90aa" };
    private static readonly Parameter<string> Voter = new("voter", "The name of a voter.", VoterNameKind.Instance) { Example = "gary" };
    private static readonly StatusNote Unknown = (FailureKind.NoSuchVote, $"there is no such vote, or it was forgotten: the last {EmulatorVotes.Max} are kept.");

    private static readonly Parameters<VoteChoice> Choice = Parameters.Of(
        Parameter.Text("name", "Its name, which voters write in upper or lower case.", MaxName),
        KeyOperations.Text with { Sentence = $"What is pressed for it: keys or `wait`, and frames: `A 4, wait 10, Up+B 2`; up to {MaxFrames} frames. Nothing unless given.", IsArgument = false },
        static (name, sequence) => new VoteChoice(name, sequence));

    public static HandlerOperation<VoteRequest, VoteAnswer> Open { get; } = new(Resource, "votes.open", HttpMethods.Post, "/v2/votes", Access.Write)
    {
        Summary = "Open a vote",
        Description = "Programs cast ballots for an audience, for example from a chat. In a democracy each voter has one ballot a round, and at its end the choice with the most is pressed, "
            + "of several with as many the one that had them first; without ballots nothing is. In an anarchy each ballot is pressed, one after the other, in the order in which they come; "
            + $"while {Vote.MaxWaiting} wait, further ones are counted and not pressed. Of a voter at most {Tally.MaxOfVoter} ballots a second are counted, of all {Tally.MaxOfAll}. "
            + "The presses have a holder of their own. While another holder has the lease they are refused, which `problem` says, and the vote continues. "
            + "An emulator has one open vote at a time. A vote ends with its gateway.",
        Request = Parameters.Of(
            Parameter.Text("title", "What it is about.", 100).Optional(),
            Parameter.Choice<VoteMode>("mode", "How ballots become presses.").Or(VoteMode.Democracy),
            Parameter.DistinctKeys("keys", "Keys that are a choice each.").Or(default),
            Parameter.List("choices", Choice, 0, MaxChoices, """[{"name":"jump","sequence":"A 20"},{"name":"wait"}]""", $"More choices; {MaxChoices} in all.").Optional(),
            Parameter.Integer("seconds", 1, MaxSeconds, $"How long a round takes, of an anarchy the vote. A democracy takes {DefaultSeconds} unless given, an anarchy continues until it is deleted.").Optional(),
            Parameter.Flag("repeat", "Whether a democracy begins another round after each, until it is deleted."),
            Parameter.Integer("frames", 1, MaxFrames, "For how many frames each of `keys` is pressed.").Or((int)TapKeys.DefaultFrames),
            Parameter.Integer("times", 1, MaxTimes, "The most times that one ballot of an anarchy is pressed: with 3, `A3` presses A three times.").Or(1),
            Parameter.Number("cooldown", 0, MaxSeconds, "How many seconds a voter waits from one ballot to the next.").Or(0),
            RequestOf),
        RequestExample = """{"title":"Where to?","keys":["Left","Right"],"seconds":10,"repeat":true}""",
        Run = static async (invocation, request) =>
        {
            var opened = await VotesOf(invocation).OpenAsync(request);
            return opened.Failure is { } failure ? failure : Shown(invocation, opened.Value!);
        },
        ResponseExample = Example,
        Statuses = [(FailureKind.VoteOpen, "a vote of this emulator is open; `detail` has its id.")],
    };

    public static HandlerOperation<NoParameters, VotesAnswer> List { get; } = new(Resource, "votes.list", HttpMethods.Get, "/v2/votes", Access.Read)
    {
        Summary = "The open vote and the last ones",
        Description = $"The newest first, at most {EmulatorVotes.Max}. Each time a vote begins, gets ballots (at most five times a second), decides a round or ends, there is an event of the topic `vote`.",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<VotesAnswer>>(new VotesAnswer([.. VotesOf(invocation).All.Select(vote => Shown(invocation, vote))])),
        ResponseExample = $$"""{"votes":[{{Example}}]}""",
    };

    public static HandlerOperation<string, VoteAnswer> Get { get; } = new(Resource, "votes.get", HttpMethods.Get, One, Access.Read)
    {
        Summary = "A vote with its ballots",
        Request = Parameters.Of(Id),
        Run = static (invocation, id) => ValueTask.FromResult<Result<VoteAnswer>>(VotesOf(invocation).Find(id) is { } vote ? Shown(invocation, vote) : NotFound(id)),
        ResponseExample = Example,
        Statuses = [Unknown],
    };

    public static HandlerOperation<BallotRequest, BallotAnswer> Cast { get; } = new(Resource, "votes.cast", HttpMethods.Post, $"{One}/ballots", Access.Control)
    {
        Summary = "Cast a ballot for a voter",
        Description = "The program that casts it vouches for the name. Names that differ only in upper and lower case, or in spaces around them, are one voter; "
            + "they are compared as they are sent, so send them in Unicode's form C (NFC). A name has no `/`, no control and no invisible characters, and is not `.` or `..`.",
        Request = Parameters.Of(
            Id,
            Voter with { Sentence = "The name of the voter.", Example = null },
            Parameter.Text("choice", "The name of a choice, in upper or lower case, perhaps with how many times: `A3`.", MaxBallot),
            static (id, voter, choice) => new BallotRequest(id, voter, choice)),
        RequestExample = """{"voter":"ash","choice":"left"}""",
        Run = static (invocation, ballot) =>
        {
            var votes = VotesOf(invocation);
            return ValueTask.FromResult(votes.Find(ballot.Vote) is not { } vote ? NotFound(ballot.Vote)
                : votes.Blocked.Find(ballot.Voter) is { } blocked ? Blocked(blocked)
                : vote.Cast(ballot.Voter, ballot.Choice));
        },
        ResponseExample = """{"vote":"4b1d90aa","round":2,"choice":"Left","ballots":3}""",
        Statuses =
        [
            (FailureKind.BadRequest, "there is no such choice; `detail` lists them."), (FailureKind.VoterBlocked, "the voter is blocked."), Unknown, (FailureKind.AlreadyVoted, "the voter has voted in this round."), (FailureKind.VoteEnded, "the vote has ended."),
            (FailureKind.TooManyRequests, "the voter or all voters have cast as many ballots as are counted in a second, or the cooldown is not over."),
        ],
    };

    public static HandlerOperation<string, VoteAnswer> Delete { get; } = new(Resource, "votes.delete", HttpMethods.Delete, One, Access.Write)
    {
        Summary = "End a vote and forget it",
        Description = "Nothing more is pressed for it, and its keys are released. The response is what it was last.",
        Request = Parameters.Of(Id),
        Run = static async (invocation, id) =>
        {
            var votes = VotesOf(invocation);
            if (votes.Find(id) is not { } vote)
            {
                return NotFound(id);
            }

            await votes.RemoveAsync(vote);
            return Shown(invocation, vote);
        },
        ResponseExample = Example.Replace("\"open\":true", "\"open\":false", StringComparison.Ordinal).Replace("\"left\":6.4,", "", StringComparison.Ordinal),
        Statuses = [Unknown],
    };

    public static HandlerOperation<NoParameters, VotersAnswer> ListBlocked { get; } = new(Resource, "voters.list", HttpMethods.Get, "/v2/voters", Access.Read)
    {
        Summary = "The voters who are blocked",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<VotersAnswer>>(new VotersAnswer(VotesOf(invocation).Blocked.All)),
        ResponseExample = """{"voters":[{"voter":"gary","left":42.5}]}""",
    };

    public static HandlerOperation<(string Voter, int? Seconds), VoterAnswer> Block { get; } = new(Resource, "voters.block", HttpMethods.Put, VoterPath, Access.Write)
    {
        Summary = "Block a voter",
        Description = $"The voter's ballots are refused, in all votes of this emulator, until the time is over, the voter is unblocked, or the gateway ends. At most {BlockedVoters.Max} are blocked.",
        Request = Parameters.Of(
            Voter,
            Parameter.Integer("seconds", 1, MaxSeconds, "For how long; until the voter is unblocked unless given.").Optional(),
            static (voter, seconds) => (voter, seconds)),
        RequestExample = """{"seconds":60}""",
        Run = static (invocation, block) => ValueTask.FromResult<Result<VoterAnswer>>(
            VotesOf(invocation).Blocked.Block(block.Voter, block.Seconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null) is { } blocked ? blocked
            : new Failure(FailureKind.MemoryFull, $"{BlockedVoters.Max} voters are blocked, and no more can be.", new NextStep(Unblock, "unblocks one"))),
        ResponseExample = """{"voter":"gary","left":60}""",
        Statuses = [(FailureKind.MemoryFull, "as many voters are blocked as can be.")],
    };

    public static HandlerOperation<string, VoterAnswer> Unblock { get; } = new(Resource, "voters.unblock", HttpMethods.Delete, VoterPath, Access.Write)
    {
        Summary = "Let a voter vote again",
        Request = Parameters.Of(Voter),
        Run = static (invocation, voter) => ValueTask.FromResult<Result<VoterAnswer>>(
            VotesOf(invocation).Blocked.Unblock(voter) is { } unblocked ? unblocked
            : new Failure(FailureKind.NoSuchVoter, $"{voter} is not blocked.", new NextStep(ListBlocked, "lists those who are"))),
        ResponseExample = """{"voter":"gary","left":42.5}""",
        Statuses = [(FailureKind.NoSuchVoter, "the voter is not blocked.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Open, List, Get, Cast, Delete, ListBlocked, Block, Unblock];

    private static EmulatorVotes VotesOf(Invocation invocation) => invocation.Get<VoteRegistry>().Of(invocation.Emulator);

    private static VoteAnswer Shown(Invocation invocation, Vote vote)
    {
        var answer = vote.Answer;
        return answer with { Problem = ShownText.For(invocation.Caller, answer.Problem) };
    }

    private static Failure NotFound(string id) => new(FailureKind.NoSuchVote, $"There is no vote {id}.", new NextStep(List, "lists them"));

    private static Failure Blocked(VoterAnswer voter) =>
        new(FailureKind.VoterBlocked, $"{voter.Voter} is blocked{(voter.Left is { } left ? FormattableString.Invariant($" for {left:0.0} s more") : "")}.", new NextStep(Unblock, "unblocks, with a token of the role owner"));

    private static Made<VoteRequest> RequestOf(
        string? title, VoteMode mode, KeySet keys, IReadOnlyList<VoteChoice>? more, int? seconds, bool repeats, int frames, int times, double cooldown)
    {
        VoteChoice[] choices =
        [
            .. KeySet.Names.Where((_, key) => ((keys.Mask >> key) & 1) != 0).Select(name => new VoteChoice(name, new KeySequence([new KeyStep(KeySet.Parse(name), frames)]))),
            .. more ?? [],
        ];
        var length = seconds ?? (mode == VoteMode.Democracy ? DefaultSeconds : null);
        return Wrong(choices, times) is { } wrong ? new WrongParameters(wrong)
            : mode == VoteMode.Anarchy && repeats ? new WrongParameters("repeat is for a democracy; an anarchy continues until it is deleted, or for its seconds.")
            : mode == VoteMode.Democracy && times > 1 ? new WrongParameters("times is for an anarchy; in a democracy make it a choice, such as {\"name\": \"A3\", \"sequence\": \"A 4, A 4, A 4\"}.")
            : new VoteRequest(title, mode, choices, length is { } of ? TimeSpan.FromSeconds(of) : null, repeats, times, TimeSpan.FromSeconds(cooldown));
    }

    private static string? Wrong(VoteChoice[] choices, int times) =>
        choices.Length is 0 or > MaxChoices ? $"There are {choices.Length} choices; expected 1 to {MaxChoices} in keys and choices together."
        : choices.GroupBy(static choice => choice.Name.Trim(), StringComparer.OrdinalIgnoreCase).FirstOrDefault(static same => same.Count() > 1) is { } twice ? $"{Parameter.Quote(twice.Key)} is the name of two choices."
        : Array.Find(choices, static choice => choice.Name.Length != choice.Name.Trim().Length || choice.Name.Length == 0) is { } spaced ? $"{Parameter.Quote(spaced.Name)} begins or ends with a space; leave it out."
        : times > 1 && Array.Find(choices, choice => choice.Name[^1] is >= '1' and <= '9' && choices.Any(other => choice.Name.AsSpan(..^1).Equals(other.Name, StringComparison.OrdinalIgnoreCase))) is { } twofold ? $"{Parameter.Quote(twofold.Name)} is a choice, and {Parameter.Quote(twofold.Name[..^1])} pressed {twofold.Name[^1]} times; rename it, or leave times out."
        : Array.Find(choices, static choice => choice.Sequence is { } sequence && sequence.Steps.Sum(static step => step.Frames) is 0 or > MaxFrames) is { } wrong ? $"The sequence of {wrong.Name} takes {wrong.Sequence!.Steps.Sum(static step => step.Frames)} frames; expected 1 to {MaxFrames}."
        : Array.Find(choices, static choice => choice.Sequence?.Steps.Any(static step => (step.Keys.Mask & Reset.Mask) == Reset.Mask) == true) is { } resets ? $"{resets.Name} presses {Reset} together, which resets most games; no vote may press it."
        : null;
}
