using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Votes;

/// <summary>How ballots become presses.</summary>
public enum VoteMode
{
    /// <summary>The choice with the most ballots of a round is pressed at its end.</summary>
    Democracy,

    /// <summary>Each ballot is pressed, in the order in which they come.</summary>
    Anarchy,
}

/// <summary>Something to vote for.</summary>
/// <param name="Name">Its name; voters may write it in upper or lower case.</param>
/// <param name="Sequence">What is pressed for it; null for nothing.</param>
public sealed record VoteChoice(string Name, KeySequence? Sequence);

/// <summary>A vote to open.</summary>
/// <param name="Title">What it is about, or null.</param>
/// <param name="Mode">How ballots become presses.</param>
/// <param name="Choices">The choices, in the order in which they are shown.</param>
/// <param name="Length">How long a round takes, of anarchy the vote; null for until it is deleted.</param>
/// <param name="Repeats">Whether another round follows each.</param>
/// <param name="MaxTimes">The most times that one ballot is pressed.</param>
/// <param name="Cooldown">How long a voter waits from one ballot to the next.</param>
public sealed record VoteRequest(
    string? Title, VoteMode Mode, IReadOnlyList<VoteChoice> Choices, TimeSpan? Length, bool Repeats, int MaxTimes, TimeSpan Cooldown);

/// <summary>A ballot to cast.</summary>
/// <param name="Vote">The id of the vote.</param>
/// <param name="Voter">Whose it is.</param>
/// <param name="Choice">The choice, perhaps with how many times.</param>
public sealed record BallotRequest(string Vote, string Voter, string Choice);

/// <summary>A ballot that was counted.</summary>
/// <param name="Vote">The id of the vote.</param>
/// <param name="Round">The round in which it was counted.</param>
/// <param name="Choice">The name of the choice.</param>
/// <param name="Ballots">How many ballots the choice has now in this round.</param>
/// <param name="Queued">Of anarchy: whether it will be pressed; false when as many presses wait as may.</param>
public sealed record BallotAnswer(string Vote, int Round, string Choice, long Ballots, bool? Queued);

/// <summary>The votes of an emulator.</summary>
/// <param name="Votes">The newest first.</param>
public sealed record VotesAnswer(IReadOnlyList<VoteAnswer> Votes);

/// <summary>A vote.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Title">What it is about.</param>
/// <param name="Mode">How ballots become presses.</param>
/// <param name="Open">Whether ballots are taken.</param>
/// <param name="Holder">The holder of its presses.</param>
/// <param name="Round">The number of the round, from 1.</param>
/// <param name="Left">How many seconds of the round are left, of anarchy of the vote; absent when it has no end, and when it has ended.</param>
/// <param name="Ballots">How many ballots were counted in this round.</param>
/// <param name="Voters">How many voters they came from.</param>
/// <param name="Choices">The choices, each with its ballots in this round.</param>
/// <param name="Last">The result of the last round that has ended; absent before.</param>
/// <param name="Recent">The last ballots, the newest last.</param>
/// <param name="Waiting">How many presses wait.</param>
/// <param name="Pressed">How many presses the game got.</param>
/// <param name="Dropped">How many ballots were counted and are not pressed, because as many presses waited as may.</param>
/// <param name="Problem">Why the last press failed, such as that another holder has the lease; absent when it did not.</param>
public sealed record VoteAnswer(
    string Id, string? Title, VoteMode Mode, bool Open, string Holder, int Round, double? Left, long Ballots, int Voters, IReadOnlyList<ChoiceAnswer> Choices, RoundAnswer? Last,
    IReadOnlyList<RecentBallot> Recent, int Waiting, long Pressed, long Dropped, string? Problem);

/// <summary>A choice of a vote.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Sequence">What is pressed for it; absent for nothing.</param>
/// <param name="Ballots">How many ballots it has in this round.</param>
public sealed record ChoiceAnswer(string Name, string? Sequence, long Ballots);

/// <summary>The result of a round.</summary>
/// <param name="Round">Its number.</param>
/// <param name="Choice">The choice with the most ballots; absent when there were none. Of several with as many the one that had them first.</param>
/// <param name="Ballots">How many it had.</param>
/// <param name="Of">How many ballots were counted in the round.</param>
public sealed record RoundAnswer(int Round, string? Choice, long Ballots, long Of);

/// <summary>A ballot that was counted lately.</summary>
/// <param name="Voter">Whose it is, as the program that cast it wrote the name.</param>
/// <param name="Choice">The name of the choice.</param>
/// <param name="Times">How many times it is pressed; absent for once.</param>
public sealed record RecentBallot(string Voter, string Choice, int? Times);

/// <summary>Voters whose ballots are refused.</summary>
/// <param name="Voters">In the order of their names.</param>
public sealed record VotersAnswer(IReadOnlyList<VoterAnswer> Voters);

/// <summary>A voter whose ballots are refused.</summary>
/// <param name="Voter">The name.</param>
/// <param name="Left">For how many seconds more; absent for until it is unblocked.</param>
public sealed record VoterAnswer(string Voter, double? Left);

/// <summary>The mode of a vote, in JSON: <c>"anarchy"</c>.</summary>
public sealed class VoteModeConverter() : JsonStringEnumConverter<VoteMode>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>The JSON of votes.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(VoteModeConverter)])]
[JsonSerializable(typeof(VoteAnswer))]
[JsonSerializable(typeof(VotesAnswer))]
[JsonSerializable(typeof(BallotAnswer))]
[JsonSerializable(typeof(VoterAnswer))]
[JsonSerializable(typeof(VotersAnswer))]
internal sealed partial class VoteJson : JsonSerializerContext;
