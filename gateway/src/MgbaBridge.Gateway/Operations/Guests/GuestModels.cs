using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Guests;

/// <summary>A guest to invite.</summary>
/// <param name="Name">What the owner calls the guest.</param>
/// <param name="Role">What the guest may do.</param>
/// <param name="Lifetime">How long the link is valid.</param>
/// <param name="Address">Where the guest reaches the gateway; null for its address in the local network.</param>
internal sealed record NewGuest(string Name, Role Role, TimeSpan Lifetime, string? Address);

/// <summary>What is to change of a guest.</summary>
/// <param name="Id">The id.</param>
/// <param name="Role">What the guest may do.</param>
internal sealed record GuestChange(string Id, Role Role);

/// <summary>A guest's WebSocket, such as that of the page.</summary>
/// <param name="Emulator">The emulator's id.</param>
/// <param name="Holder">The holder of its keys and its lease.</param>
/// <param name="Since">When it was opened.</param>
/// <param name="DelayMs">How many milliseconds its last ping took, as it says itself; absent before it has said so.</param>
public sealed record GuestConnectionAnswer(string Emulator, string Holder, DateTimeOffset Since, double? DelayMs);

/// <summary>A guest.</summary>
/// <param name="Id">The id.</param>
/// <param name="Name">What the owner calls the guest.</param>
/// <param name="Role">What the guest may do.</param>
/// <param name="Until">When the link ends.</param>
/// <param name="Connections">The open WebSockets of all who use the link, the oldest first.</param>
public sealed record GuestAnswer(string Id, string Name, Role Role, DateTimeOffset Until, IReadOnlyList<GuestConnectionAnswer> Connections)
{
    internal static GuestAnswer Of(Guest guest) => new(
        guest.Id, guest.Name, guest.Credential.Role, guest.Until, [.. guest.Connections.Select(static one => new GuestConnectionAnswer(one.Emulator, one.Holder, one.Since, one.DelayMs))]);
}

/// <summary>The guests.</summary>
/// <param name="Guests">The oldest first.</param>
public sealed record GuestsAnswer(IReadOnlyList<GuestAnswer> Guests);

/// <summary>A guest who was invited.</summary>
/// <param name="Id">The id.</param>
/// <param name="Name">What the owner calls the guest.</param>
/// <param name="Role">What the guest may do.</param>
/// <param name="Until">When the link ends.</param>
/// <param name="Link">The page with the guest's token. It is in no other response: the gateway knows only the token's SHA-256.</param>
/// <param name="Qr">The link as a QR code: lines of block characters, light on dark, one module wide and two high.</param>
public sealed record InvitedGuestAnswer(string Id, string Name, Role Role, DateTimeOffset Until, string Link, IReadOnlyList<string> Qr);

/// <summary>Links that were ended.</summary>
/// <param name="Ended">How many.</param>
public readonly record struct EndedGuestsAnswer(int Ended);

/// <summary>The JSON of guests.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(RoleConverter)])]
[JsonSerializable(typeof(GuestsAnswer))]
[JsonSerializable(typeof(GuestAnswer))]
[JsonSerializable(typeof(InvitedGuestAnswer))]
[JsonSerializable(typeof(EndedGuestsAnswer))]
[JsonSerializable(typeof(KeptGuest[]))]
internal sealed partial class GuestJson : JsonSerializerContext;
