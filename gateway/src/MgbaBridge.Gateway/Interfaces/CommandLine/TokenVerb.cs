using System.CommandLine;
using System.Text.Json.Nodes;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>token</c>: makes a token, and the setting by which a gateway accepts it.</summary>
internal static class TokenVerb
{
    private static readonly Option<string> RoleOption = new Option<string>("--role")
    {
        HelpName = "ROLE",
        Description = "viewer (reads), guest (also keys, waits, recordings), player (also the lease) or owner (everything)",
        DefaultValueFactory = static _ => Role.Owner.Name(),
    }.AcceptOnlyFromAmong([.. Roles.ByName.Keys]);

    private static readonly Option<string?> OwnerOption = new("--owner")
    {
        HelpName = "OWNER",
        Description = "the owner of sessions of a fleet that it is for; it sees nothing else",
    };

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("token", "Make a token, and the setting with which a gateway accepts it", command =>
    {
        command.Options.Add(RoleOption);
        command.Options.Add(OwnerOption);
        OwnerOption.Validators.Add(static result =>
        {
            if (result.GetValueOrDefault<string?>() is { } owner && !OwnerName.IsValid(owner))
            {
                result.AddError($"--owner is {owner}; a setting is {Credential.Format}.");
            }
        });
        Display.AddOptionsTo(command);
        command.SetAction(static result =>
        {
            VerbException.CheckOpenSsl();
            var display = new Display(result);
            var token = Credential.NewToken();
            var made = new JsonObject
            {
                ["token"] = token,
                ["setting"] = Credential.SettingOf(Roles.ByName[result.GetRequiredValue(RoleOption)], token, result.GetValue(OwnerOption)),
            };
            if (display.IsJson)
            {
                display.Line(made.ToJsonString());
                return;
            }

            display.Line($"token:   {made["token"]}");
            display.Line($"setting: {made["setting"]}");
            display.Line("Give the token to its user and keep it nowhere else. Add the setting to the list Bridge:Http:Tokens of the gateway.");
        });
    });
}
